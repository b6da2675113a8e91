import { isStoreAway } from '../errors/store-failures.js';
import { type Actor, SYSTEM_ACTOR } from '../platform/actor.js';
import type { Clock } from '../primitives/clock.js';
import type { AccountId } from '../primitives/ids.js';
import type { AccountErasure, DeletionBegun, DuePosition } from './account-erasure.js';
import type { AccountRepository } from './account-repository.js';
import { AccountStandings, type StandingOutcome } from './account-standings.js';
import { decideStanding, standingActorOf, type StandingRefusal } from './standing.js';

export interface AccountDeletionPorts {
  readonly accounts: Pick<AccountRepository, 'findById' | 'moveStanding'>;
  readonly erasure: AccountErasure;
  readonly clock: Clock;
}

export interface DeletionRequest {
  readonly accountId: AccountId;
  readonly actor: Actor;
  /** Time from the request to the due date. */
  readonly graceMilliseconds: number;
}

/** The account belongs to the last operator, so it cannot be deleted. */
export interface LastOperatorRefusal {
  readonly outcome: 'last-operator';
}

export type DeletionOutcome =
  | DeletionBegun
  | { readonly outcome: 'deleted-already' | 'no-such-account' }
  | StandingRefusal;

export interface DeletionTurn {
  readonly deleted: readonly AccountId[];
  /** Retried in a later turn. */
  readonly failed: readonly { readonly accountId: AccountId; readonly error: unknown }[];
}

/** Bounds the load of many due deletions. */
export const DELETIONS_PER_TURN = 20;

export class AccountDeletion {
  readonly #standings: AccountStandings;
  /** The next turn continues after this position, so that failing deletions do not block later ones. */
  #reached: DuePosition | null = null;

  constructor(private readonly ports: AccountDeletionPorts) {
    this.#standings = new AccountStandings(ports);
  }

  /** If a deletion is already scheduled, its date changes only to an earlier one. */
  async request({ accountId, actor, graceMilliseconds }: DeletionRequest): Promise<StandingOutcome | LastOperatorRefusal> {
    if (await this.ports.erasure.ownerIsLastOperator(accountId)) return { outcome: 'last-operator' };
    return this.#standings.perform({ trigger: 'request-deletion', accountId, actor, graceMilliseconds });
  }

  cancel(accountId: AccountId, actor: Actor): Promise<StandingOutcome> {
    return this.#standings.perform({ trigger: 'cancel-deletion', accountId, actor });
  }

  /** Refused without a scheduled deletion. For a deleted account, completes an interrupted erasure. */
  async carryOut(accountId: AccountId, actor: Actor): Promise<DeletionOutcome> {
    const { accounts, erasure, clock } = this.ports;
    const account = await accounts.findById(accountId);
    if (account === null) return { outcome: 'no-such-account' };
    const at = clock.now();
    const decision = decideStanding(account, { trigger: 'carry-out-deletion', actor: standingActorOf(actor), at, graceMilliseconds: 0 });
    if (decision.outcome === 'refused') return decision;
    const begun = decision.outcome === 'moves'
      ? await erasure.deleteAccount(accountId, account, { actor, at })
      : { outcome: 'deleted-already' } as const;
    if (begun.outcome === 'deleted' || begun.outcome === 'deleted-already') await erasure.eraseLeftovers(accountId);
    return begun;
  }

  /** Attempts at most `DELETIONS_PER_TURN` due deletions. Throws if the store is unavailable. */
  async carryOutDue(): Promise<DeletionTurn> {
    const { erasure, clock } = this.ports;
    const due = await erasure.dueForDeletion(clock.now(), { limit: DELETIONS_PER_TURN, after: this.#reached });
    const deleted: AccountId[] = [];
    const failed: { accountId: AccountId; error: unknown }[] = [];
    for (const position of due) {
      this.#reached = position;
      const result = await this.tryToCarryOut(position.id);
      if ('error' in result) failed.push({ accountId: position.id, ...result });
      else if (result.outcome === 'deleted') deleted.push(position.id);
    }
    if (due.length < DELETIONS_PER_TURN) this.#reached = null;
    return { deleted, failed };
  }

  private async tryToCarryOut(accountId: AccountId): Promise<DeletionOutcome | { readonly error: unknown }> {
    try {
      return await this.carryOut(accountId, SYSTEM_ACTOR);
    } catch (error) {
      if (isStoreAway(error)) throw error;
      return { error };
    }
  }
}
