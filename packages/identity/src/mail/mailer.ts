import { type Clock, isMailAddress, later } from '@tollgate/core';
import type { IdentityIdGenerator } from '../tokens/identity-id-generator.js';
import type { MailOutbox, MailStoring } from './mail-outbox.js';
import { type Mail, type StoredMail, MAIL_LIFETIME_MILLISECONDS, MAX_MAIL_CHARACTERS, MAX_MAIL_REFERENCE_CHARACTERS, MAX_MAIL_SUBJECT_CHARACTERS } from './mail.js';

export type MailRefusalReason = 'malformed-address' | 'malformed-reference' | 'subject-too-long' | 'too-large' | 'too-many-waiting';

const EXPLANATIONS: Readonly<Record<MailRefusalReason, string>> = {
  'malformed-address': 'its recipient is not an address that mail can be sent to',
  'malformed-reference': `its reference is empty or longer than ${MAX_MAIL_REFERENCE_CHARACTERS} characters`,
  'subject-too-long': `its subject is empty or longer than ${MAX_MAIL_SUBJECT_CHARACTERS} characters`,
  'too-large': `it is larger than ${MAX_MAIL_CHARACTERS} characters`,
  'too-many-waiting': 'too many messages are already waiting for delivery',
};

/** Thrown if a message was not stored. The error's text contains nothing of the message. */
export class MailRefused extends Error {
  override readonly name = 'MailRefused';

  constructor(readonly reason: MailRefusalReason) {
    super(`the message was not stored: ${EXPLANATIONS[reason]}`);
  }
}

export interface MailerPorts {
  readonly outbox: MailOutbox;
  readonly ids: IdentityIdGenerator;
  readonly clock: Clock;
  /** Called after a message was stored; triggers its delivery. */
  readonly onStored: () => void;
  /** Called for a message to an unverified address that was dropped because too many are waiting. */
  readonly onDropped?: () => void;
}

/** Stores messages in the outbox; another part of the gateway delivers them. */
export class Mailer {
  constructor(private readonly ports: MailerPorts) {}

  /**
   * Idempotent by reference. Resolves once the message is stored, not delivered. Throws `MailRefused` if it is malformed or too large, or too many
   * are waiting. In the last case, a message to an unverified address is dropped without an error.
   */
  async send(mail: Mail): Promise<void> {
    const { outbox, onDropped } = this.ports;
    const outcome = await outbox.store(this.stamped(mail));
    if (outcome === 'full') throw new MailRefused('too-many-waiting');
    // Not an error, because the client must not learn that there is no room.
    if (outcome === 'dropped') onDropped?.();
    if (outcome === 'stored') this.ports.onStored();
  }

  /** Like `send`, but `store` stores the message, and its refusals are returned. For operators: a dropped message is an error. */
  async sendBy<Refusal extends string>(mail: Mail, store: (stored: StoredMail) => Promise<MailStoring | Refusal>): Promise<'sent' | Exclude<Refusal, MailStoring>> {
    const outcome = await store(this.stamped(mail));
    if (outcome === 'full' || outcome === 'dropped') throw new MailRefused('too-many-waiting');
    if (outcome !== 'stored' && outcome !== 'repeated') return outcome as Exclude<Refusal, MailStoring>;
    this.ports.onStored();
    return 'sent';
  }

  private stamped(mail: Mail): StoredMail {
    const reason = misfitOf(mail);
    if (reason !== null) throw new MailRefused(reason);
    const { ids, clock } = this.ports;
    const storedAt = clock.now();
    return { ...mail, id: ids.mailId(), storedAt, expiresAt: later(storedAt, MAIL_LIFETIME_MILLISECONDS) };
  }
}

function misfitOf({ to, subject, text, html, reference }: Mail): MailRefusalReason | null {
  if (!isMailAddress(to)) return 'malformed-address';
  if (reference === '' || reference.length > MAX_MAIL_REFERENCE_CHARACTERS) return 'malformed-reference';
  if (subject === '' || subject.length > MAX_MAIL_SUBJECT_CHARACTERS) return 'subject-too-long';
  return subject.length + text.length + html.length > MAX_MAIL_CHARACTERS ? 'too-large' : null;
}
