import type { MoneyAct } from './money-act.js';
import { chargeOfEnding, clipCharge } from './ledger-entry.js';
import type { SettleCommand, Settlement, SettlementHold } from './reservation.js';
import type { Ledger } from '../ports/ledger.js';
import { SYSTEM_ACTOR } from '../ports/audit.js';
import type { ServiceTokens } from '../money/service-tokens.js';
import type { Instant } from '../time.js';

/** What a receipt states while the ledger does not take a settlement: the cost, at most what is held for it. No more is booked later. */
export function pendingSettlement({ ending }: Pick<SettleCommand, 'ending'>, { facts, amount }: SettlementHold): Settlement {
  const { charge, writeOff } = clipCharge(chargeOfEnding(ending, facts), { payable: amount }, facts);
  return { charge, writeOff, balance: null };
}

/** A settlement whose receipt has promised that no more is charged. */
export interface PromisedSettlement extends SettleCommand {
  readonly atMost: ServiceTokens;
  readonly hold: SettlementHold;
}

/**
 * Settles for what was promised. What an earlier attempt of unknown outcome, or a sweep, has charged beyond it is given back by a refund
 * that is booked once. May be repeated.
 */
export async function settlePromised(ledger: Ledger, command: PromisedSettlement, now: Instant): Promise<Settlement> {
  const settlement = await ledger.settle({ ...command, at: now });
  const excess = settlement.charge.amount.minus(command.atMost);
  if (!excess.isNegative() && !excess.isZero()) await ledger.book(reversalOf(command, excess, now));
  return settlement;
}

function reversalOf({ hold: { facts } }: PromisedSettlement, amount: ServiceTokens, at: Instant): MoneyAct {
  const { accountId, requestId } = facts;
  return {
    kind: 'refund', accountId, requestId, amount, at, actor: SYSTEM_ACTOR,
    reference: `reversal of ${requestId}`, reason: 'Charged beyond its receipt, or although its response was an error.',
  };
}
