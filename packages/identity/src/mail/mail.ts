import { type AccountId, type Instant, later, MILLISECONDS_PER_DAY, MILLISECONDS_PER_HOUR, MILLISECONDS_PER_SECOND, type PersonId } from '@tollgate/core';
import type { MailId } from '../tokens/identity-id-generator.js';
import type { MailName } from './mail-names.js';

export interface MailContent {
  readonly kind: MailName;
  /** Subject, which is one line. */
  readonly subject: string;
  readonly text: string;
  /** Complete HTML document with the same content. */
  readonly html: string;
}

/** Ranks in the order of delivery. `verified` includes invited people; `unverified` are messages that strangers can cause. */
export const MAIL_RANKS = ['operator', 'verified', 'unverified'] as const;
export type MailRank = (typeof MAIL_RANKS)[number];

export interface Mail extends MailContent {
  readonly rank: MailRank;
  /** Address without a display name. */
  readonly to: string;
  /** The recipient's account; `null` if there is none yet. */
  readonly accountId: AccountId | null;
  /** Idempotency key: a message is sent once per reference. Contains no address and no secret. */
  readonly reference: string;
}

export interface StoredMail extends Mail {
  readonly id: MailId;
  readonly storedAt: Instant;
  /** Time at which the message is given up. */
  readonly expiresAt: Instant;
}

/** Prefix of the references of messages to a person's unconfirmed new address, by which they are removed with the person. */
export function newAddressReference(id: PersonId): string {
  return `change-email/${id}/`;
}

/** Maximum length of subject, text and HTML together. */
export const MAX_MAIL_CHARACTERS = 65_536;
export const MAX_MAIL_SUBJECT_CHARACTERS = 200;
export const MAX_MAIL_REFERENCE_CHARACTERS = 200;
/** Time for which a message's reference prevents duplicates. */
export const MAIL_REMEMBERED_MILLISECONDS = 7 * MILLISECONDS_PER_DAY;
/** Time for which operators can trace a message that has ended; then it is deleted with its address. */
export const MAIL_TRACED_MILLISECONDS = 30 * MILLISECONDS_PER_DAY;
/** Time after which an undelivered message is given up. */
export const MAIL_LIFETIME_MILLISECONDS = MILLISECONDS_PER_DAY;

const FIRST_PAUSE_MILLISECONDS = 30 * MILLISECONDS_PER_SECOND;
const MAX_PAUSE_MILLISECONDS = MILLISECONDS_PER_HOUR;

/** The delay is 30 s after the first failed attempt (`attempt` 1), then doubles up to an hour. `null` if the message is given up. */
export function nextAttemptAt({ expiresAt }: StoredMail, attempt: number, failedAt: Instant): Instant | null {
  const next = later(failedAt, Math.min(FIRST_PAUSE_MILLISECONDS * 2 ** (attempt - 1), MAX_PAUSE_MILLISECONDS));
  return next < expiresAt ? next : null;
}
