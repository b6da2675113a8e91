import type { Brand, PersonId } from '../ids.js';
import { type Instant, later, MILLISECONDS_PER_DAY, MILLISECONDS_PER_HOUR, MILLISECONDS_PER_SECOND } from '../time/instant.js';

/** `mail_<id>`: names one message in the outbox, in logs and in its Message-ID. */
export type MailId = Brand<string, 'MailId'>;

/** What a message says. */
export interface MailContent {
  /** One line. */
  readonly subject: string;
  readonly text: string;
  /** A whole HTML document that says the same. */
  readonly html: string;
}

/** A message to one person. */
export interface Mail extends MailContent {
  /** One bare address. */
  readonly to: string;
  /** Names the reason for the message; a second message with the same reference is not sent. Holds neither an address nor a secret. */
  readonly reference: string;
}

/** A message as the outbox keeps it until it ends. */
export interface StoredMail extends Mail {
  readonly id: MailId;
  readonly storedAt: Instant;
  /** From then on the message is given up. */
  readonly expiresAt: Instant;
}

/** What the references of messages begin with that ask at a new address whether it is this person's. By it they are removed with the person. */
export function newAddressReference(id: PersonId): string {
  return `change-email/${id}/`;
}

/** Characters of subject, text and HTML together. */
export const MAIL_MAXIMUM_CHARACTERS = 65_536;
export const MAIL_SUBJECT_MAXIMUM_CHARACTERS = 200;
export const MAIL_REFERENCE_MAXIMUM_CHARACTERS = 200;
/** Messages that may wait for delivery. Several gateways that store at the same time may exceed it by one each. */
export const MOST_WAITING_MAILS = 10_000;
/** A message that could not be delivered for so long is given up: what it links to has expired. */
export const MAIL_LIFETIME_MILLISECONDS = MILLISECONDS_PER_DAY;

const FIRST_PAUSE_MILLISECONDS = 30 * MILLISECONDS_PER_SECOND;
const LONGEST_PAUSE_MILLISECONDS = MILLISECONDS_PER_HOUR;

/** When a message is tried again whose attempt failed (1 is the first): after 30 s, then after pauses that double up to an hour. `null`: it is given up. */
export function nextAttemptAt({ expiresAt }: StoredMail, attempt: number, failedAt: Instant): Instant | null {
  const next = later(failedAt, Math.min(FIRST_PAUSE_MILLISECONDS * 2 ** (attempt - 1), LONGEST_PAUSE_MILLISECONDS));
  return next < expiresAt ? next : null;
}

/** Longest local part and longest host name of an address (RFC 5321, section 4.5.3.1). */
const ADDRESS = /^[A-Za-z0-9!#$%&'*+/=?^_`{|}~.-]{1,64}@[A-Za-z0-9]([A-Za-z0-9.-]{0,251}[A-Za-z0-9])?$/;
const ADDRESS_MAXIMUM_CHARACTERS = 254;

/** Whether a message can be sent to this text: one ASCII address without display name, quotes or comments. */
export function isMailAddress(text: string): boolean {
  return text.length <= ADDRESS_MAXIMUM_CHARACTERS && ADDRESS.test(text);
}
