import type { AccountDeletion, Actor, ActOrigin, LastOperatorRefusal, StandingOutcome } from '@tollgate/core';
import type { Mailer } from '../mail/mailer.js';
import { deletionScheduledMessage } from '../mail/messages.js';
import type { Person } from './person.js';

export interface OwnDeletionParts {
  readonly deletions: Pick<AccountDeletion, 'request' | 'cancel'>;
  readonly mailer: Mailer;
  /** Where browsers reach the installation. */
  readonly site: { readonly origin: string };
  /** From a request until the deletion is due. */
  readonly graceMilliseconds: number;
}

type Owner = Pick<Person, 'id' | 'accountId' | 'email'>;

function actorOf({ id }: Owner, origin: ActOrigin): Actor {
  return { kind: 'owner', id, origin };
}

/** What signed-in owners do about the deletion of their own account. The table of standings refuses what their state forbids. */
export class OwnDeletion {
  constructor(private readonly parts: OwnDeletionParts) {}

  /**
   * Schedules the deletion and mails its date to the owner, once for each date. Repeating it changes nothing, and sends the message that an
   * earlier attempt did not come to. Rejects where the message cannot be stored; the deletion is scheduled then.
   */
  async schedule(owner: Owner, origin: ActOrigin): Promise<StandingOutcome | LastOperatorRefusal> {
    const { deletions, mailer, site, graceMilliseconds } = this.parts;
    const { accountId } = owner;
    if (accountId === null) return { outcome: 'no-such-account' };
    const outcome = await deletions.request({ accountId, actor: actorOf(owner, origin), graceMilliseconds });
    if (!('account' in outcome) || outcome.account.deletion === null) return outcome;
    const { dueAt } = outcome.account.deletion;
    const content = deletionScheduledMessage({ baseUrl: site.origin, dueAt });
    await mailer.send({ ...content, to: owner.email, rank: 'verified', reference: `deletion-scheduled/${accountId}/${dueAt}` });
    return outcome;
  }

  async cancel(owner: Owner, origin: ActOrigin): Promise<StandingOutcome> {
    const { accountId } = owner;
    return accountId === null ? { outcome: 'no-such-account' } : this.parts.deletions.cancel(accountId, actorOf(owner, origin));
  }
}
