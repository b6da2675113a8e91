import type { Brand, PersonId } from '../primitives.js';
import { type Instant, later, MILLISECONDS_PER_DAY, MILLISECONDS_PER_HOUR, MILLISECONDS_PER_SECOND } from '../time.js';
import type { Clock, IdentityIdGenerator } from '../ports/system.js';
import type { Mailer, MailOutbox } from '../ports/mail.js';
import { isMailAddress } from '../accounts/mail-address.js';

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

export type MailRefusalReason = 'malformed-address' | 'malformed-reference' | 'subject-too-long' | 'too-large' | 'too-many-waiting';

const EXPLANATIONS: Readonly<Record<MailRefusalReason, string>> = {
  'malformed-address': 'its recipient is not an address that mail can be sent to',
  'malformed-reference': `its reference is empty or longer than ${MAIL_REFERENCE_MAXIMUM_CHARACTERS} characters`,
  'subject-too-long': `its subject is empty or longer than ${MAIL_SUBJECT_MAXIMUM_CHARACTERS} characters`,
  'too-large': `it is larger than ${MAIL_MAXIMUM_CHARACTERS} characters`,
  'too-many-waiting': 'too many messages are waiting for delivery already',
};

/** The message was not stored. Neither the text nor the reason repeats anything of the message. */
export class MailRefused extends Error {
  override readonly name = 'MailRefused';

  constructor(readonly reason: MailRefusalReason) {
    super(`the message was not stored: ${EXPLANATIONS[reason]}`);
  }
}

export interface QueuedMailerPorts {
  readonly outbox: MailOutbox;
  readonly ids: IdentityIdGenerator;
  readonly clock: Clock;
  /** Called after a message was stored, so that it is delivered soon. */
  readonly onStored: () => void;
  /** Called for a message that was not stored because too many wait for addresses that are not verified. */
  readonly onDropped?: () => void;
}

/** Stores messages in the outbox, from which another part of the gateway delivers them. */
export class QueuedMailer implements Mailer {
  constructor(private readonly ports: QueuedMailerPorts) {}

  async send(mail: Mail): Promise<void> {
    const reason = misfitOf(mail);
    if (reason !== null) throw new MailRefused(reason);
    const { outbox, ids, clock, onStored, onDropped } = this.ports;
    const storedAt = clock.now();
    const outcome = await outbox.store({ ...mail, id: ids.mailId(), storedAt, expiresAt: later(storedAt, MAIL_LIFETIME_MILLISECONDS) });
    if (outcome === 'full') throw new MailRefused('too-many-waiting');
    // The client that caused it learns nothing of it.
    if (outcome === 'dropped') onDropped?.();
    if (outcome === 'stored') onStored();
  }
}

function misfitOf({ to, subject, text, html, reference }: Mail): MailRefusalReason | null {
  if (!isMailAddress(to)) return 'malformed-address';
  if (reference === '' || reference.length > MAIL_REFERENCE_MAXIMUM_CHARACTERS) return 'malformed-reference';
  if (subject === '' || subject.length > MAIL_SUBJECT_MAXIMUM_CHARACTERS) return 'subject-too-long';
  return subject.length + text.length + html.length > MAIL_MAXIMUM_CHARACTERS ? 'too-large' : null;
}
