import { type Clock, type Instant, invariant, later } from '@tollgate/core';
import { type MailSite, siteIn } from '../mail/dashboard-links.js';
import type { MailLanguage } from '../mail/mail-language.js';
import { MAIL_LIFETIME_MILLISECONDS, type StoredMail } from '../mail/mail.js';
import type { IdentityIdGenerator } from '../tokens/identity-id-generator.js';
import { alertMessage } from './alert-message.js';
import type { Alert, AlertRecords, AlertStep } from './alert-records.js';

export interface AlertMailsParts {
  readonly records: AlertRecords;
  readonly ids: IdentityIdGenerator;
  readonly clock: Clock;
  readonly site: () => MailSite;
  /** A sentence on how an owner gets credit; `null` omits it. */
  readonly creditAdvice: (language: MailLanguage | null) => string | null;
  /** Called after messages were stored; triggers their delivery. */
  readonly onStored: () => void;
}

/** Mails the owners of accounts about events of the feed. */
export class AlertMails {
  constructor(private readonly parts: AlertMailsParts) {}

  /** Stores some due mails in one short transaction. */
  async step(): Promise<AlertStep> {
    const at = this.parts.clock.now();
    const step = await this.parts.records.storeMails((alert) => this.mailOf(alert, at), at);
    if (step.mails > 0) this.parts.onStored();
    return step;
  }

  private mailOf(alert: Alert, at: Instant): StoredMail {
    const { ids, site, creditAdvice } = this.parts;
    const newest = alert.events.at(-1);
    invariant(newest !== undefined, 'an alert is about an event');
    return {
      ...alertMessage(alert, { ...siteIn(site(), alert.language), creditAdvice: creditAdvice(alert.language) }), id: ids.mailId(), to: alert.to, accountId: alert.accountId, rank: 'verified', reference: `${alert.kind}/${newest.id}/${alert.accountId}`,
      storedAt: at, expiresAt: later(at, MAIL_LIFETIME_MILLISECONDS),
    };
  }
}
