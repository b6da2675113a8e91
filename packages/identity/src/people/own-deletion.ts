import type { AccountDeletion, Actor, ActOrigin, LastOperatorRefusal, StandingOutcome } from '@tollgate/core';
import { type MailSite, siteIn } from '../mail/dashboard-links.js';
import type { Mailer } from '../mail/mailer.js';
import { deletionScheduledMessage } from '../mail/messages.js';
import type { Person } from './person.js';

export interface OwnDeletionParts {
  readonly deletions: Pick<AccountDeletion, 'request' | 'cancel'>;
  readonly mailer: Mailer;
  readonly site: () => MailSite;
  /** Time from the request to the due date. */
  readonly graceMilliseconds: number;
}

type Owner = Pick<Person, 'id' | 'accountId' | 'email' | 'language'>;

function actorOf({ id }: Owner, origin: ActOrigin): Actor {
  return { kind: 'owner', id, origin };
}

/** Deletion by the signed-in owner, subject to the rules of standing. */
export class OwnDeletion {
  constructor(private readonly parts: OwnDeletionParts) {}

  /**
   * Schedules the deletion and mails the date, once per date. Idempotent: a repetition sends the message that an interrupted call did not store.
   * Rejects if the message cannot be stored, although the deletion is scheduled.
   */
  async schedule(owner: Owner, origin: ActOrigin): Promise<StandingOutcome | LastOperatorRefusal> {
    const { deletions, mailer, site, graceMilliseconds } = this.parts;
    const { accountId } = owner;
    if (accountId === null) return { outcome: 'no-such-account' };
    const outcome = await deletions.request({ accountId, actor: actorOf(owner, origin), graceMilliseconds });
    if (!('account' in outcome) || outcome.account.deletion === null) return outcome;
    const { dueAt } = outcome.account.deletion;
    const content = deletionScheduledMessage({ ...siteIn(site(), owner.language), dueAt });
    await mailer.send({ ...content, to: owner.email, accountId, rank: 'verified', reference: `deletion-scheduled/${accountId}/${dueAt}` });
    return outcome;
  }

  async cancel(owner: Owner, origin: ActOrigin): Promise<StandingOutcome> {
    const { accountId } = owner;
    return accountId === null ? { outcome: 'no-such-account' } : this.parts.deletions.cancel(accountId, actorOf(owner, origin));
  }
}
