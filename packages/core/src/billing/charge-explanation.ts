import { Big } from 'big.js';
import type { Charge } from '../money/charge.js';
import type { TokenRate } from '../money/token-rate.js';
import type { ServiceTokens } from '../money/service-tokens.js';
import { TOKEN_CLASSES, type TokenClass } from '../money/token-classes.js';
import { tokensOfClass } from '../money/usage.js';
import type { TokenCount } from '../primitives/token-count.js';
import { chargeOfEnding } from './charge.js';
import { type LateSettlement, statedCostOf, withLateSettlement } from './late-settlement.js';
import type { UsageRecord } from './usage-record.js';

export interface ChargeLine {
  readonly tokenClass: TokenClass;
  readonly count: TokenCount;
  readonly rate: TokenRate;
  /** Count × rate; exact, plain decimal. */
  readonly amount: string;
}

export interface ChargeExplanation {
  /** Empty if no model served the request. */
  readonly lines: readonly ChargeLine[];
  /** Exact, plain decimal. */
  readonly sum: string;
  /** Added by rounding the sum up to a multiple of 0.000001; plain decimal. */
  readonly rounding: string;
  /** The rounded sum, which equals charge + write-off + the part covered by the purchase. */
  readonly computed: ServiceTokens;
}

function linesOf({ service, usage }: UsageRecord): readonly ChargeLine[] {
  if (service === null) return [];
  const { price } = service;
  return TOKEN_CLASSES.map((tokenClass) => {
    const [count, rate] = [tokensOfClass(usage, tokenClass), price[tokenClass.rate.field]];
    return { tokenClass: tokenClass.name, count, rate, amount: new Big(rate).times(count).toFixed() };
  });
}

/** Recomputed from the record's usage and price. */
export function explainCharge(record: UsageRecord): ChargeExplanation {
  const lines = linesOf(record);
  const sum = lines.reduce((total, { amount }) => total.plus(amount), new Big(0));
  const computed = chargeOfEnding(record, record).amount;
  return { lines, sum: sum.toFixed(), rounding: computed.toBig().minus(sum).toFixed(), computed };
}

/** How a late settlement was computed: the cost of the real ending minus the cost in the record. */
export interface LateExplanation {
  readonly lines: readonly ChargeLine[];
  readonly computed: ServiceTokens;
  /** Cost that the record already accounts for: charge + write-off + the part covered by the purchase. */
  readonly coveredBefore: ServiceTokens;
  /** The record's charge and the late charge together. */
  readonly chargedInAll: Charge;
}

export function explainLateSettlement(record: UsageRecord, late: LateSettlement): LateExplanation {
  const whole = withLateSettlement(record, late);
  const { lines, computed } = explainCharge(whole);
  return { lines, computed, coveredBefore: statedCostOf(record), chargedInAll: whole.charge };
}
