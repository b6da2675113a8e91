import type { AccountId } from '../ids.js';
import type { ServiceTokens } from '../money/service-tokens.js';
import type { AccountErasure } from '../ports/account-erasure.js';
import type { AccountRepository } from '../ports/account-repository.js';
import { type Actor, SYSTEM_ACTOR } from '../ports/audit.js';
import type { Clock } from '../ports/clock.js';
import { decideStanding, type StandingRefusal } from './standing/decide-standing.js';

export interface AccountDeletionPorts {
  readonly accounts: Pick<AccountRepository, 'findById'>;
  readonly erasure: AccountErasure;
  readonly clock: Clock;
}

export type DeletionOutcome =
  | { readonly outcome: 'deleted'; readonly forfeited: ServiceTokens }
  | { readonly outcome: 'deleted-already' | 'requests-running' | 'changed-meanwhile' | 'no-such-account' }
  | StandingRefusal;

/** Deletions carried out in one turn, so that many due at once leave room for requests. */
const DELETIONS_PER_TURN = 20;

/** Carries scheduled deletions out: those that are due, or one that an operator does not wait for. */
export class AccountDeletion {
  constructor(private readonly ports: AccountDeletionPorts) {}

  /** Deletes an account whose deletion is pending. What an earlier attempt did not get to is done too. */
  async carryOut(accountId: AccountId, actor: Actor): Promise<DeletionOutcome> {
    const { accounts, erasure, clock } = this.ports;
    const account = await accounts.findById(accountId);
    if (account === null) return { outcome: 'no-such-account' };
    const at = clock.now();
    const decision = decideStanding(account, { trigger: 'carry-out-deletion', actor: actor.kind, at, graceMilliseconds: 0 });
    if (decision.outcome === 'refused') return decision;
    const begun = decision.outcome === 'moves'
      ? await erasure.deleteAccount(accountId, account, { actor, at })
      : { outcome: 'deleted-already' } as const;
    if (begun.outcome === 'deleted' || begun.outcome === 'deleted-already') await erasure.eraseLeftovers(accountId);
    return begun;
  }

  /** Carries out what is due; says which accounts were deleted by this process. */
  async carryOutDue(): Promise<readonly AccountId[]> {
    const deleted: AccountId[] = [];
    for (const accountId of await this.ports.erasure.dueForDeletion(this.ports.clock.now(), DELETIONS_PER_TURN)) {
      const { outcome } = await this.carryOut(accountId, SYSTEM_ACTOR);
      if (outcome === 'deleted') deleted.push(accountId);
    }
    return deleted;
  }
}
