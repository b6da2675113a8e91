import { chargeOf } from '../money/charge.js';
import { ServiceTokens } from '../money/service-tokens.js';
import { SYSTEM_ACTOR } from '../platform/actor.js';
import { BrokenInvariant } from '../primitives/invariant.js';
import type { RequestId } from '../primitives/ids.js';
import type { Instant } from '../primitives/time.js';
import { chargeOfEnding, clipCharge } from './charge.js';
import type { Ledger } from './ledger.js';
import { type MoneyAct, moneyActRefusalOf, reversalReferenceOf } from './money-act.js';
import type { SettleCommand, SettlementHold, SettleOutcome } from './reservation.js';

/**
 * Settlement for a receipt while the ledger is unavailable. Its charge is the cost clipped to the reservation, and the final charge will not exceed
 * it.
 */
export function pendingSettlement({ ending }: Pick<SettleCommand, 'ending'>, { facts, amount }: SettlementHold): SettleOutcome {
  const { charge, writeOff } = clipCharge(chargeOfEnding(ending, facts), { payable: amount }, facts);
  return { charge, writeOff, balance: null, booked: null };
}

/** A settlement whose receipt or error response promised a maximum charge. */
export interface PromisedSettlement extends SettleCommand {
  readonly atMost: ServiceTokens;
  readonly hold: SettlementHold;
}

/** Promises a charge of zero for a request that was not served, since a sweep may have charged its checkpoint. */
export function withPromise(command: SettleCommand): SettleCommand {
  return command.ending.service === null && command.hold !== undefined ? { ...command, atMost: ServiceTokens.ZERO } : command;
}

export function isPromised(command: SettleCommand): command is PromisedSettlement {
  return command.hold !== undefined && command.atMost !== undefined && command.atMost !== null;
}

/** Permanent: an operator has to refund the excess. */
export class ReversalRefused extends BrokenInvariant {
  constructor(requestId: RequestId, amount: ServiceTokens, refusal: string) {
    super(`the charge of ${requestId} is ${amount.toString()} service tokens above the promised maximum, and the excess could not be refunded: ${refusal}`);
  }
}

/**
 * Settles at most the promised amount. Excess that an earlier attempt or a sweep charged is reversed once, and the result excludes it. Idempotent.
 * Throws `ReversalRefused` if the ledger refuses the reversal, unless the whole charge is refunded already.
 */
export async function settlePromised(ledger: Ledger, command: PromisedSettlement, now: Instant): Promise<SettleOutcome> {
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
