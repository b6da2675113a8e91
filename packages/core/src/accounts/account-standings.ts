import type { AuditedAction } from '../platform/audited-act.js';
import type { Actor } from '../platform/actor.js';
import type { BlockTerms } from '../platform/block.js';
import type { Clock } from '../primitives/clock.js';
import type { AccountId } from '../primitives/ids.js';
import { invariant } from '../primitives/invariant.js';
import type { AccountRepository } from './account-repository.js';
import type { Account } from './account.js';
import { decideStanding, standingActorOf, type StandingRefusal, type StandingTrigger } from './standing.js';

/** Excludes carrying out a deletion, which only `AccountDeletion` does. */
export type StandingAct = Exclude<StandingTrigger, 'carry-out-deletion'>;

/** The grace period of a deletion may be 0. */
export type StandingCommand = { readonly accountId: AccountId; readonly actor: Actor } & (
  | { readonly trigger: 'request-deletion'; readonly graceMilliseconds: number }
  | { readonly trigger: 'block'; readonly terms?: BlockTerms }
  /** The owner sees the reason. */
  | { readonly trigger: 'suspend'; readonly reason?: string | null }
  | { readonly trigger: Exclude<StandingAct, 'request-deletion' | 'block' | 'suspend'> }
);

export type StandingOutcome =
  | { readonly outcome: 'changed' | 'unchanged'; readonly account: Account }
  | { readonly outcome: 'no-such-account' }
  | StandingRefusal;

const AUDITED_AS: Readonly<Record<StandingAct, AuditedAction>> = {
  verify: 'account.verified', suspend: 'account.suspended', reactivate: 'account.reactivated', block: 'account.blocked',
  unblock: 'account.unblocked', 'request-deletion': 'account.deletion-requested', 'cancel-deletion': 'account.deletion-cancelled',
};
/** An attempt fails only if a concurrent act changed the account first. */
const MAX_ATTEMPTS = 10;

export interface AccountStandingsPorts {
  readonly accounts: Pick<AccountRepository, 'findById' | 'moveStanding'>;
  readonly clock: Clock;
}

/** Changes the standing of accounts, for all actors and interfaces. */
export class AccountStandings {
  constructor(private readonly ports: AccountStandingsPorts) {}

  async perform(command: StandingCommand): Promise<StandingOutcome> {
    for (let attempt = 1; attempt <= MAX_ATTEMPTS; attempt += 1) {
      const outcome = await this.attempt(command);
      if (outcome !== null) return outcome;
    }
    invariant(false, `an account does not change ${MAX_ATTEMPTS} times between read and write`);
  }

  /** `null` if the account changed between read and write. */
  private async attempt(command: StandingCommand): Promise<StandingOutcome | null> {
    const { accounts, clock } = this.ports;
    const { accountId, trigger, actor } = command;
    const account = await accounts.findById(accountId);
    if (account === null) return { outcome: 'no-such-account' };
    const at = clock.now();
    const graceMilliseconds = command.trigger === 'request-deletion' ? command.graceMilliseconds : 0;
    const decision = decideStanding(account, { trigger, actor: standingActorOf(actor), at, graceMilliseconds });
    if (decision.outcome === 'refused') return decision;
    if (decision.outcome === 'unchanged') return { outcome: 'unchanged', account };
    const terms = command.trigger === 'block' && command.terms !== undefined ? { terms: command.terms } : {};
    const reason = command.trigger === 'suspend' ? { reason: command.reason ?? null } : {};
    const move = { from: account, to: decision.to, action: AUDITED_AS[trigger], ...terms, ...reason };
    const isMoved = await accounts.moveStanding(accountId, move, { actor, at });
    return isMoved ? { outcome: 'changed', account: { ...account, ...decision.to } } : null;
  }
}
