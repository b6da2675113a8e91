import type { Actor, AuditedBy } from '../platform/actor.js';
import type { BlockTerms } from '../platform/block.js';
import type { AccountId, PlanId } from '../primitives/primitives.js';
import type { Account, StandingFacts } from './account.js';

/** What changes about an account beside its standing; fields left out stay as they are. */
export interface AccountChange {
  readonly planId?: PlanId;
  readonly name?: string;
}

/** One step of an account's standing, from the facts that it was decided on. */
export interface StandingMove {
  readonly from: StandingFacts;
  readonly to: StandingFacts;
  /** As the audit trail names it: `account.suspended`. */
  readonly action: string;
  /** Of the block, where the step makes one; left out, it has none. */
  readonly terms?: BlockTerms;
  /** Why it is suspended, where the step suspends it; kept until a step ends the suspension. */
  readonly reason?: string | null;
}

export interface AccountPage {
  readonly accounts: readonly Account[];
  /** Pass it as `after` to read on; `null` at the end. */
  readonly next: AccountId | null;
}

/** Accounts; every write goes into the audit trail in the same transaction. */
export interface AccountRepository {
  findById(id: AccountId): Promise<Account | null>;
  findByEmail(email: string): Promise<Account | null>;
  /** Why an account is suspended, in the words of the operator who did it; `null` where none were given, and while it is not suspended. */
  suspensionReason(id: AccountId): Promise<string | null>;
  /** Oldest first. */
  list(query: { readonly limit: number; readonly after: AccountId | null }): Promise<AccountPage>;
  /** `email-taken` when another account has the same address, whatever its letter case. */
  create(account: Account, actor: Actor): Promise<'created' | 'email-taken'>;
  /** The account as it is afterwards; `null` when there is none. */
  change(id: AccountId, change: AccountChange, by: AuditedBy): Promise<Account | null>;
  /** Takes the step in one conditional statement, and makes or ends the account's block with it; `false` when the account is not in `from` any more. */
  moveStanding(id: AccountId, move: StandingMove, by: AuditedBy): Promise<boolean>;
}
