import { later } from '../time/instant.js';
import { MAIL_LIFETIME_MILLISECONDS, type StoredMail } from '../mail/mail.js';
import { type FactorChange, factorChangedMessage } from '../mail/messages/factor-changed.js';
import type { IdGenerator } from '../ports/id-generator.js';
import type { Instant } from '../time/instant.js';
import type { Person } from './person.js';

export interface FactorNoticesParts {
  readonly ids: IdGenerator;
  /** Where browsers reach the installation. */
  readonly baseUrl: () => string;
  /** Called after a message was stored, so that it is delivered soon. */
  readonly onStored: () => void;
}

/** Mail about changes of second factors, which the store keeps in the transaction of the change. */
export class FactorNotices {
  constructor(private readonly parts: FactorNoticesParts) {}

  of({ email }: Pick<Person, 'email'>, change: FactorChange, at: Instant): StoredMail {
    const id = this.parts.ids.mailId();
    const content = factorChangedMessage({ baseUrl: this.parts.baseUrl(), change, at });
    return { ...content, id, to: email, reference: `${change}/${id}`, storedAt: at, expiresAt: later(at, MAIL_LIFETIME_MILLISECONDS) };
  }

  stored(): void {
    this.parts.onStored();
  }
}
