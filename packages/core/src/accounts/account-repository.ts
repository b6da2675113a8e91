import type { AuditedAction } from '../platform/audited-act.js';
import type { Actor, AuditedBy } from '../platform/actor.js';
import type { BlockTerms } from '../platform/block.js';
import type { AccountId, PlanId } from '../primitives/primitives.js';
import type { Account, StandingFacts } from './account.js';

/** Omitted fields stay unchanged. */
export interface AccountChange {
  readonly planId?: PlanId;
  readonly name?: string;
}

/** A change of standing, with the facts it was decided on. */
export interface StandingMove {
  readonly from: StandingFacts;
  readonly to: StandingFacts;
  readonly action: AuditedAction;
  /** The terms of the block, if the step blocks the account. */
  readonly terms?: BlockTerms;
  /** The reason of a suspension, kept until it ends. */
  readonly reason?: string | null;
}

export interface AccountPage {
  readonly accounts: readonly Account[];
  /** Pass it as `after`; `null` on the last page. */
  readonly next: AccountId | null;
}

/** Every write is audited in the same transaction. */
export interface AccountRepository {
  findById(id: AccountId): Promise<Account | null>;
  findByEmail(email: string): Promise<Account | null>;
  /** `null` if the account is not suspended or no reason was given. */
  suspensionReason(id: AccountId): Promise<string | null>;
  /** Oldest first. */
  list(query: { readonly limit: number; readonly after: AccountId | null }): Promise<AccountPage>;
  /** `email-taken` compares case-insensitively. */
  create(account: Account, actor: Actor): Promise<'created' | 'email-taken'>;
  /** Returns the changed account; `null` if it does not exist. */
  change(id: AccountId, change: AccountChange, by: AuditedBy): Promise<Account | null>;
  /** Atomic: false, and no effect, if the account is no longer in `from`. Writes or ends the account's block too. */
  moveStanding(id: AccountId, move: StandingMove, by: AuditedBy): Promise<boolean>;
}
