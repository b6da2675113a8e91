import type { Ending, Instant, RequestFacts, ReservationId, UtcDay } from '@tollgate/core';
import { storableUnits } from '../schema/amount-bounds.js';
import { flagToColumn } from '../schema/column-values.js';
import { storableText, storableTextOrNull } from '../text/storable-text.js';
import type { ChargedParts } from '../usage/ending-row.js';
import type { ColumnOf } from './row-insertion.js';

/** One ended reservation: everything its record, or its late settlement, is made of. */
export interface EndedReservation {
  readonly id: ReservationId;
  readonly facts: RequestFacts;
  readonly ending: Ending;
  readonly parts: ChargedParts;
  /** That of the record: a late settlement belongs to it too, whenever the request really ended. */
  readonly day: UtcDay;
  readonly settledAt: Instant | null;
}

const ENDING_COLUMNS: readonly ColumnOf<EndedReservation>[] = [
  ['reservation_id', ({ id }) => id],
  ['account_id', ({ facts }) => facts.accountId],
  ['end_reason', ({ ending }) => ending.reason],
  ['served_by', ({ ending }) => ending.service?.servedBy ?? null],
  ['upstream_id', ({ ending }) => ending.service?.upstreamId ?? null],
  ['fallback_used', ({ ending }) => flagToColumn(ending.service?.fallbackUsed ?? false)],
  ['price_prompt', ({ ending }) => ending.service?.price.promptToken ?? null],
  ['price_cached_prompt', ({ ending }) => ending.service?.price.cachedPromptToken ?? null],
  ['price_cache_creation', ({ ending }) => ending.service?.price.cacheCreationToken ?? null],
  ['price_output', ({ ending }) => ending.service?.price.outputToken ?? null],
  ['uncached_prompt_tokens', ({ ending }) => ending.usage.uncachedPromptTokens],
  ['cached_prompt_tokens', ({ ending }) => ending.usage.cachedPromptTokens],
  ['cache_creation_tokens', ({ ending }) => ending.usage.cacheCreationTokens],
  ['reasoning_tokens', ({ ending }) => ending.usage.reasoningTokens],
  ['visible_output_tokens', ({ ending }) => ending.usage.visibleOutputTokens],
  ['usage_source', ({ ending }) => ending.usage.source],
  ['reasoning_withheld', ({ ending }) => flagToColumn(ending.usage.reasoningWithheld)],
  ['first_output_at', ({ ending }) => ending.firstOutputAt],
  ['ended_at', ({ ending }) => ending.endedAt],
  ['day', ({ day }) => day],
  ['settled_at', ({ settledAt }) => settledAt],
  ['charge', ({ parts }) => parts.charged.toUnits()],
  ['write_off', ({ parts }) => storableUnits(parts.writeOff.toUnits())],
];

/** Of a usage record. */
export const RECORD_COLUMNS: readonly ColumnOf<EndedReservation>[] = [
  ...ENDING_COLUMNS,
  ['request_id', ({ facts }) => facts.requestId],
  ['key_id', ({ facts }) => facts.keyId],
  ['format', ({ facts }) => facts.format],
  ['streamed', ({ facts }) => flagToColumn(facts.streamed)],
  ['requested_model', ({ facts }) => storableText(facts.requestedModel)],
  ['attribution', ({ facts }) => storableTextOrNull(facts.attribution)],
  ['usd_rate', ({ facts }) => facts.usdPerServiceToken],
  ['started_at', ({ facts }) => facts.startedAt],
];

/** Of a late settlement, which leaves to the record what was known of the request before. */
export const LATE_COLUMNS = ENDING_COLUMNS;
