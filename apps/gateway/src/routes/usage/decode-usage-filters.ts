import { type ApiKeyId, END_REASONS, type ModelSlug, ServiceTokens, type UsageFilters, type UsageQuery } from '@tollgate/core';
import { periodParameter } from '../../http/query/instant-parameter.js';
import { invalidParameter, type QueryParameters } from '../../http/query/query-parameters.js';

const PAGE = { least: 1, most: 100, fallback: 20 };
const AMOUNT_PATTERN = /^\d{1,12}(?:\.\d{1,6})?$/;

function leastChargeParameter(query: QueryParameters): ServiceTokens | null {
  const text = query.text('min_charge');
  if (text === null) return null;
  if (!AMOUNT_PATTERN.test(text)) throw invalidParameter('min_charge', 'a decimal number with at most 6 decimal places');
  return ServiceTokens.parse(text);
}

/** Reads `start`, `end`, `model`, `key_id`, `user`, `end_reason` and `min_charge`, which narrow lists and exports of usage records. */
export function decodeUsageFilters(query: QueryParameters): UsageFilters {
  return {
    ...periodParameter(query),
    model: query.text('model') as ModelSlug | null,
    keyId: query.text('key_id') as ApiKeyId | null,
    attribution: query.text('user'),
    endReason: query.oneOfOrNone('end_reason', END_REASONS),
    leastCharge: leastChargeParameter(query),
  };
}

/** Reads `limit` and `cursor`, which say what page of a list is meant. */
export function decodeUsagePage(query: QueryParameters): Pick<UsageQuery, 'limit' | 'cursor'> {
  return { limit: query.wholeNumber('limit', PAGE), cursor: query.text('cursor') };
}
