import { chargeOf } from '../money/price.js';
import { ServiceTokens } from '../money/service-tokens.js';
import { SYSTEM_ACTOR } from '../platform/actor.js';
import { BrokenInvariant, type RequestId } from '../primitives/primitives.js';
import type { Instant } from '../primitives/time.js';
import { chargeOfEnding, clipCharge } from './charge.js';
import type { Ledger } from './ledger.js';
import { type MoneyAct, moneyActRefusalOf, reversalReferenceOf } from './money-act.js';
import type { SettleCommand, Settlement, SettlementHold } from './reservation.js';

/** What a receipt states while the ledger does not take a settlement: the cost, at most what is held for it. No more is booked later. */
export function pendingSettlement({ ending }: Pick<SettleCommand, 'ending'>, { facts, amount }: SettlementHold): Settlement {
  const { charge, writeOff } = clipCharge(chargeOfEnding(ending, facts), { payable: amount }, facts);
  return { charge, writeOff, balance: null };
}

/** A settlement whose receipt, or error, has promised that no more is charged. */
export interface PromisedSettlement extends SettleCommand {
  readonly atMost: ServiceTokens;
  readonly hold: SettlementHold;
}

/** With a request that nothing served, its client is promised that it costs nothing: also where a sweep has charged its checkpoint. */
export function withPromise(command: SettleCommand): SettleCommand {
  return command.ending.service === null && command.hold !== undefined ? { ...command, atMost: ServiceTokens.ZERO } : command;
}

export function isPromised(command: SettleCommand): command is PromisedSettlement {
  return command.hold !== undefined && command.atMost !== undefined && command.atMost !== null;
}

/** The books do not take a reversal, now or later: what was charged beyond a promise is left to an operator. */
export class ReversalRefused extends BrokenInvariant {
  constructor(requestId: RequestId, amount: ServiceTokens, refusal: string) {
    super(`the charge of ${requestId} exceeds what was promised by ${amount.toString()} service tokens, which could not be given back: ${refusal}`);
  }
}

/**
 * Settles for what was promised. What an earlier attempt of unknown outcome, or a sweep, has charged beyond it is given back by a reversal
 * that is booked once, as far as no refund has given it back before; the answer states the charge without it. May be repeated.
 * Throws `ReversalRefused`.
 */
export async function settlePromised(ledger: Ledger, command: PromisedSettlement, now: Instant): Promise<Settlement> {
  const settlement = await ledger.settle({ ...command, at: now });
  const excess = settlement.charge.amount.minus(command.atMost);
  if (excess.isNegative() || excess.isZero()) return settlement;
  const act = reversalOf(command, excess, now);
  const booked = await ledger.book(act);
  const refusal = booked.outcome === 'exceeds-charge' ? null : moneyActRefusalOf(booked, act);
  if (refusal !== null) throw new ReversalRefused(command.hold.facts.requestId, excess, refusal.message);
  const charge = chargeOf(command.atMost, command.hold.facts.usdPerServiceToken);
  return { ...settlement, charge, balance: 'balance' in booked ? booked.balance : settlement.balance };
}

function reversalOf({ hold: { facts } }: PromisedSettlement, amount: ServiceTokens, at: Instant): MoneyAct {
  const { accountId, requestId } = facts;
  return {
    kind: 'refund', accountId, requestId, amount, at, actor: SYSTEM_ACTOR,
    reference: reversalReferenceOf(requestId), reason: 'Charged beyond its receipt, or although its response was an error.',
  };
}
