import { type Ending, type RequestFacts, type ServiceTokens, type UtcDay } from '@tollgate/core';
import { storableText } from '../text/storable-text.js';
import type { UsageStatements } from './usage-statements.js';

/** What one request adds to the sums of a day. */
export interface RollUpPart {
  readonly facts: RequestFacts;
  readonly ending: Ending;
  readonly charged: ServiceTokens;
  readonly day: UtcDay;
  /** -1 takes back what was added before, when a request turns out to have ended otherwise. */
  readonly times: 1 | -1;
}

/** Adds a request to the sums by model and key, and to those by user. */
export function addToRollUps(usage: UsageStatements, { facts, ending, charged, day, times }: RollUpPart): void {
  const sums = {
    account_id: facts.accountId,
    day,
    usd_rate: facts.usdPerServiceToken,
    requests: times,
    uncached_prompt_tokens: times * ending.usage.uncachedPromptTokens,
    cached_prompt_tokens: times * ending.usage.cachedPromptTokens,
    cache_creation_tokens: times * ending.usage.cacheCreationTokens,
    reasoning_tokens: times * ending.usage.reasoningTokens,
    visible_output_tokens: times * ending.usage.visibleOutputTokens,
    charge: BigInt(times) * charged.toUnits(),
  };
  usage.addToDay.run({ ...sums, model: ending.service?.servedBy ?? '', key_id: facts.keyId ?? '' });
  usage.addToUserDay.run({ ...sums, attribution: storableText(facts.attribution ?? '') });
}
