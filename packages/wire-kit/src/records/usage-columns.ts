import type { JsonObject } from '@tollgate/core';

/** The columns of an owner's export as CSV: the fields of a record, those of its `usage` among them. */
export const USAGE_COLUMNS = [
  'request_id', 'key_id', 'format', 'streamed', 'requested_model', 'model', 'fallback_used', 'user', 'end_reason', 'usage_source',
  'started_at', 'admitted_at', 'first_output_at', 'ended_at', 'settled_at',
  'prompt_tokens', 'uncached_prompt_tokens', 'cached_prompt_tokens', 'cache_creation_tokens', 'output_tokens', 'reasoning_tokens', 'reasoning_withheld',
  'total_tokens',
  'reserved', 'svc_tokens_debited', 'svc_cost_usd', 'svc_tokens_written_off',
] as const;

type CellValue = string | number | boolean | null;

/** Of an operator's. */
export const OPERATOR_USAGE_COLUMNS = ['account_id', ...USAGE_COLUMNS, 'upstream'] as const;

/** The values of those columns in a record as it is encoded. */
export function cellsOf(encoded: JsonObject): Readonly<Record<string, CellValue>> {
  const { usage, ...rest } = encoded;
  return { ...rest, ...usage as JsonObject } as Readonly<Record<string, CellValue>>;
}
