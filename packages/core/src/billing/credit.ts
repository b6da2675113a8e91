import type { ServiceTokens } from '../money/service-tokens.js';
import type { Actor } from '../platform/actor.js';
import type { AccountId } from '../primitives/ids.js';
import { assertNever } from '../primitives/assert-never.js';
import type { Instant } from '../primitives/time.js';
import type { Balance } from './balance.js';
import type { Booked } from './booked.js';
import type { MoneyAct, MoneyActOutcome } from './money-act.js';

export interface CreditCommand {
  readonly accountId: AccountId;
  /** Greater than zero. */
  readonly amount: ServiceTokens;
  /** Idempotency key within the account. */
  readonly reference: string;
  /** Given by the operator; default none. */
  readonly reason?: string | null;
  /** Default never. */
  readonly expiresAt?: Instant | null;
  readonly actor: Actor;
  readonly at: Instant;
}

export type CreditOutcome =
  | { readonly outcome: 'credited'; readonly balance: Balance; readonly booked: Booked }
  | { readonly outcome: 'repeated'; readonly balance: Balance }
  | { readonly outcome: 'no-such-account' | 'reference-used-for-another-amount' };

export function topUpOf(command: CreditCommand): MoneyAct {
  return { ...command, kind: 'top-up', reason: command.reason ?? null };
}

export function creditOutcomeOf(outcome: MoneyActOutcome): CreditOutcome {
  switch (outcome.outcome) {
    case 'booked': return { ...outcome, outcome: 'credited' };
    case 'repeated': return outcome;
    case 'reference-used-otherwise': return { outcome: 'reference-used-for-another-amount' };
    case 'no-such-account': case 'account-deleted': case 'no-such-request': case 'exceeds-charge': case 'exceeds-balance': case 'nothing-available':
      return { outcome: 'no-such-account' };
    default: return assertNever(outcome);
  }
}
