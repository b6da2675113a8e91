import type { MailFailure, MailOutcome } from '@tollgate/core';
import { errorOf, type ThrownError } from '../thrown-error.js';

/** What nodemailer says of a delivery that failed. */
interface SmtpError extends ThrownError {
  /** The system's or OpenSSL's own code, where `code` is nodemailer's. */
  readonly originalCode?: string;
  readonly responseCode?: number;
  readonly response?: string;
  readonly command?: string;
}

const PERMANENT_FROM = 500;
/** Where a refusal is about this message; the sender, credentials and TLS are the gateway's own and can be mended. */
const ABOUT_THE_MESSAGE: ReadonlySet<string> = new Set(['RCPT TO', 'DATA']);
/** RFC 3463, as in `550 5.1.1 User unknown`. */
const ENHANCED_CODE = /^\d{3}[ -](\d\.\d{1,3}\.\d{1,3})\b/;

/** A server that does not know STARTTLS says so with a code that means nothing by itself. */
const NO_ENCRYPTION = 'ETLS';

function codeOf({ code, originalCode, responseCode, response }: SmtpError): string {
  if (responseCode === undefined || code === NO_ENCRYPTION) return originalCode ?? code ?? 'unknown';
  const enhanced = ENHANCED_CODE.exec(response ?? '')?.[1];
  return enhanced === undefined ? String(responseCode) : `${responseCode} ${enhanced}`;
}

/** Whether a delivery that failed may succeed later, and what to say of it. */
export function smtpFailure(thrown: unknown): MailOutcome {
  const error: SmtpError = errorOf(thrown);
  const failure: MailFailure = { code: codeOf(error), explanation: error.message };
  const isPermanent = (error.responseCode ?? 0) >= PERMANENT_FROM && ABOUT_THE_MESSAGE.has(error.command ?? '');
  return { outcome: isPermanent ? 'refused' : 'failed', failure };
}
