import type { UsageRecord } from '../billing/usage-record.js';
import { outputTokensOf } from '../generation/usage.js';
import { ServiceTokens } from '../money/service-tokens.js';
import { UsdAmount } from '../money/usd-amount.js';

/** What some requests add up to. */
export interface UsageSums {
  readonly requests: number;
  readonly uncachedPromptTokens: number;
  readonly cachedPromptTokens: number;
  readonly cacheCreationTokens: number;
  /** Reasoning tokens included. */
  readonly outputTokens: number;
  readonly reasoningTokens: number;
  readonly charged: ServiceTokens;
  /** Each charge at the rate it was charged at. */
  readonly chargedUsd: UsdAmount;
}

export const NO_USAGE_SUMS: UsageSums = {
  requests: 0, uncachedPromptTokens: 0, cachedPromptTokens: 0, cacheCreationTokens: 0, outputTokens: 0, reasoningTokens: 0,
  charged: ServiceTokens.ZERO, chargedUsd: UsdAmount.ZERO,
};

export function addSums(first: UsageSums, second: UsageSums): UsageSums {
  return {
    requests: first.requests + second.requests,
    uncachedPromptTokens: first.uncachedPromptTokens + second.uncachedPromptTokens,
    cachedPromptTokens: first.cachedPromptTokens + second.cachedPromptTokens,
    cacheCreationTokens: first.cacheCreationTokens + second.cacheCreationTokens,
    outputTokens: first.outputTokens + second.outputTokens,
    reasoningTokens: first.reasoningTokens + second.reasoningTokens,
    charged: first.charged.plus(second.charged),
    chargedUsd: first.chargedUsd.plus(second.chargedUsd),
  };
}

/** What one request adds. */
export function sumsOfRecord({ usage, charge }: UsageRecord): UsageSums {
  const { uncachedPromptTokens, cachedPromptTokens, cacheCreationTokens, reasoningTokens } = usage;
  return {
    requests: 1, uncachedPromptTokens, cachedPromptTokens, cacheCreationTokens, outputTokens: outputTokensOf(usage), reasoningTokens,
    charged: charge.amount, chargedUsd: charge.usd,
  };
}
