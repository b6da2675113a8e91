import type { Ending, RequestFacts, ServiceTokens, UtcDay } from '@tollgate/core';
import { storableText } from '../text/storable-text.js';
import type { ColumnOf } from './row-insertion.js';

/** What one request adds to the sums of a day. */
export interface RollUpPart {
  readonly facts: RequestFacts;
  readonly ending: Ending;
  readonly charged: ServiceTokens;
  readonly day: UtcDay;
  /** -1 takes back what was added before, when a request turns out to have ended otherwise. */
  readonly times: 1 | -1;
}

type Column = ColumnOf<RollUpPart>;

const ACCOUNT: Column = ['account_id', ({ facts }) => facts.accountId];
const DAY: Column = ['day', ({ day }) => day];
const RATE: Column = ['usd_rate', ({ facts }) => facts.usdPerServiceToken];

/** What a row of the sums by model and key is found by. */
export const DAY_KEYS: readonly Column[] = [
  ACCOUNT, DAY, ['model', ({ ending }) => ending.service?.servedBy ?? ''], ['key_id', ({ facts }) => facts.keyId ?? ''], RATE,
];

/** What a row of the sums by user is found by. */
export const USER_DAY_KEYS: readonly Column[] = [ACCOUNT, DAY, ['attribution', ({ facts }) => storableText(facts.attribution ?? '')], RATE];

/** What is summed up. */
export const SUMS: readonly Column[] = [
  ['requests', ({ times }) => times],
  ['uncached_prompt_tokens', ({ ending, times }) => times * ending.usage.uncachedPromptTokens],
  ['cached_prompt_tokens', ({ ending, times }) => times * ending.usage.cachedPromptTokens],
  ['cache_creation_tokens', ({ ending, times }) => times * ending.usage.cacheCreationTokens],
  ['reasoning_tokens', ({ ending, times }) => times * ending.usage.reasoningTokens],
  ['visible_output_tokens', ({ ending, times }) => times * ending.usage.visibleOutputTokens],
  ['charge', ({ charged, times }) => BigInt(times) * charged.toUnits()],
];
