import { type Instant, later, MILLISECONDS_PER_DAY, MILLISECONDS_PER_HOUR, MILLISECONDS_PER_SECOND, type PersonId } from '@tollgate/core';
import type { MailId } from '../tokens/identity-id-generator.js';

/** What a message says. */
export interface MailContent {
  /** One line. */
  readonly subject: string;
  readonly text: string;
  /** A whole HTML document that says the same. */
  readonly html: string;
}

/**
 * Whose mail goes first: that of operators, then that of people with a verified address and of those whom an operator invites, then that for addresses
 * that are not verified, which strangers can cause.
 */
export const MAIL_RANKS = ['operator', 'verified', 'unverified'] as const;
export type MailRank = (typeof MAIL_RANKS)[number];

/** A message to one person. */
export interface Mail extends MailContent {
  readonly rank: MailRank;
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
/** A message that could not be delivered for so long is given up: what it links to has expired. */
export const MAIL_LIFETIME_MILLISECONDS = MILLISECONDS_PER_DAY;

const FIRST_PAUSE_MILLISECONDS = 30 * MILLISECONDS_PER_SECOND;
const LONGEST_PAUSE_MILLISECONDS = MILLISECONDS_PER_HOUR;

/** When a message is tried again whose attempt failed (1 is the first): after 30 s, then after pauses that double up to an hour. `null`: it is given up. */
export function nextAttemptAt({ expiresAt }: StoredMail, attempt: number, failedAt: Instant): Instant | null {
  const next = later(failedAt, Math.min(FIRST_PAUSE_MILLISECONDS * 2 ** (attempt - 1), LONGEST_PAUSE_MILLISECONDS));
  return next < expiresAt ? next : null;
}
