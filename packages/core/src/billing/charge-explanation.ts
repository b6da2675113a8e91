import { Big } from 'big.js';
import type { Charge, TokenRate } from '../money/price.js';
import type { ServiceTokens } from '../money/service-tokens.js';
import { outputTokensOf } from '../money/usage.js';
import type { TokenCount } from '../primitives/primitives.js';
import { chargeOfEnding } from './charge.js';
import { type LateSettlement, statedCostOf, withLateSettlement } from './late-settlement.js';
import type { UsageRecord } from './usage-record.js';

export type TokenClass = 'uncached_prompt' | 'cached_prompt' | 'cache_creation' | 'output';

/** One token class of a charge. */
export interface ChargeLine {
  readonly tokenClass: TokenClass;
  readonly count: TokenCount;
  readonly rate: TokenRate;
  /** Count × rate, exact, as a plain decimal. */
  readonly amount: string;
}

/** How a record came to its charge: lines, their sum, the rounding, and what could not be paid. */
export interface ChargeExplanation {
  /** Empty when nothing served the request. */
  readonly lines: readonly ChargeLine[];
  /** Exact sum of the lines, as a plain decimal. */
  readonly sum: string;
  /** What rounding up to 0.000001 added, as a plain decimal. */
  readonly rounding: string;
  /** The sum after rounding; the charge, the write-off and the part that the purchase covers together. */
  readonly computed: ServiceTokens;
}

function linesOf({ service, usage }: UsageRecord): readonly ChargeLine[] {
  if (service === null) return [];
  const { price } = service;
  const classes: readonly (readonly [TokenClass, TokenCount, TokenRate])[] = [
    ['uncached_prompt', usage.uncachedPromptTokens, price.promptToken],
    ['cached_prompt', usage.cachedPromptTokens, price.cachedPromptToken],
    ['cache_creation', usage.cacheCreationTokens, price.cacheCreationToken],
    ['output', outputTokensOf(usage), price.outputToken],
  ];
  return classes.map(([tokenClass, count, rate]) => ({ tokenClass, count, rate, amount: new Big(rate).times(count).toFixed() }));
}

/** Recomputes a charge from the record's own counts and price, step by step. */
export function explainCharge(record: UsageRecord): ChargeExplanation {
  const lines = linesOf(record);
  const sum = lines.reduce((total, { amount }) => total.plus(amount), new Big(0));
  const computed = chargeOfEnding(record, record).amount;
  return { lines, sum: sum.toFixed(), rounding: computed.toBig().minus(sum).toFixed(), computed };
}

/** How a late settlement came to its charge: the real ending at the record's prices, less what the record had covered. */
export interface LateExplanation {
  readonly lines: readonly ChargeLine[];
  readonly computed: ServiceTokens;
  /** Charged, written off or covered by the purchase, by the record. */
  readonly coveredBefore: ServiceTokens;
  /** Both charges together. */
  readonly chargedInAll: Charge;
}

export function explainLateSettlement(record: UsageRecord, late: LateSettlement): LateExplanation {
  const whole = withLateSettlement(record, late);
  const { lines, computed } = explainCharge(whole);
  return { lines, computed, coveredBefore: statedCostOf(record), chargedInAll: whole.charge };
}
