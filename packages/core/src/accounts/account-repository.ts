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

/** With the facts it was decided on. */
export interface StandingMove {
  readonly from: StandingFacts;
  readonly to: StandingFacts;
  readonly action: AuditedAction;
  /** Required for a step that blocks the account. */
  readonly terms?: BlockTerms;
  /** Of a suspension, kept until it ends. */
  readonly reason?: string | null;
}

export interface AccountPage {
  readonly accounts: readonly Account[];
  /** Pass it as `after`; `null` on the last page. */
  readonly next: AccountId | null;
}

/** Audits every write in the same transaction. */
export interface AccountRepository {
  findById(id: AccountId): Promise<Account | null>;
  findByEmail(email: string): Promise<Account | null>;
  /** `null` if the account is not suspended or has no reason. */
  suspensionReason(id: AccountId): Promise<string | null>;
  /** Oldest first. */
  list(query: { readonly limit: number; readonly after: AccountId | null }): Promise<AccountPage>;
  /** `email-taken` compares case-insensitively. */
  create(account: Account, actor: Actor): Promise<'created' | 'email-taken'>;
  /** `null` if the account does not exist. */
  change(id: AccountId, change: AccountChange, by: AuditedBy): Promise<Account | null>;
  /** Atomic: false, without effect, if the account is no longer in `from`. Also writes or ends its block. */
  moveStanding(id: AccountId, move: StandingMove, by: AuditedBy): Promise<boolean>;
}
