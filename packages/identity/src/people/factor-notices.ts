import type { Instant } from '@tollgate/core';
import { failuresMessage } from '../attempts/failure-messages.js';
import type { FailureNotice, FailureWarnings } from '../attempts/failures-in-a-row.js';
import { type MailSite, siteIn } from '../mail/dashboard-links.js';
import type { MailContent, StoredMail } from '../mail/mail.js';
import { type FactorChange, factorChangedMessage } from '../mail/messages.js';
import { stampedNotice } from '../mail/stamped-notice.js';
import type { IdentityIdGenerator } from '../tokens/identity-id-generator.js';
import type { Person } from './person.js';

export interface FactorNoticesParts {
  readonly ids: IdentityIdGenerator;
  readonly site: () => MailSite;
  /** Called after messages were stored; triggers their delivery. */
  readonly onStored: () => void;
}

type Noticed = Pick<Person, 'email' | 'role' | 'accountId' | 'language'>;

/** Notices about factors and failures, stored in the transaction that changes or counts them. */
export class FactorNotices {
  constructor(private readonly parts: FactorNoticesParts) {}

  of(person: Noticed, change: FactorChange, at: Instant): StoredMail {
    return this.stampedFor(person, { reason: change, content: factorChangedMessage({ ...siteIn(this.parts.site(), person.language), change, at }), at });
  }

  /** The possible warnings. The store keeps the one that is due. */
  warningsFor(person: Noticed, at: Instant): FailureWarnings {
    const warning = (reason: FailureNotice) => this.stampedFor(person, { reason, content: failuresMessage({ ...siteIn(this.parts.site(), person.language), notice: reason, at }), at });
    return { 'proofs-locked': warning('proofs-locked'), 'many-failures': warning('many-failures') };
  }

  private stampedFor({ email, role, accountId }: Noticed, told: { readonly reason: string; readonly content: MailContent; readonly at: Instant }): StoredMail {
    return stampedNotice(this.parts.ids.mailId(), { ...told, to: email, accountId, rank: role === 'operator' ? 'operator' : 'verified' });
  }

  stored(): void {
    this.parts.onStored();
  }
}
