import { type Instant, instant, MILLISECONDS_PER_SECOND, parseUtcDay } from '@tollgate/core';
import { invalidParameter, type QueryParameters } from './query-parameters.js';

const UNIX_SECONDS_PATTERN = /^\d{1,11}$/;
const RFC3339_PATTERN = /^\d{4}-\d{2}-\d{2}T\d{2}:\d{2}:\d{2}(?:\.\d{1,9})?(?:Z|[+-]\d{2}:\d{2})$/i;

/** Reads Unix seconds, RFC 3339, or a UTC day as its first instant; `null` when the text is none of them. */
export function parseInstant(text: string): Instant | null {
  if (UNIX_SECONDS_PATTERN.test(text)) return instant(Number(text) * MILLISECONDS_PER_SECOND);
  const day = parseUtcDay(text);
  if (day !== null) return day;
  // In a query, an unescaped "+" of an offset arrives as a space.
  const restored = text.replace(' ', '+');
  const milliseconds = RFC3339_PATTERN.test(restored) ? Date.parse(restored) : Number.NaN;
  const isReal = parseUtcDay(text.slice(0, 10)) !== null && Number.isFinite(milliseconds) && milliseconds >= 0;
  return isReal ? instant(milliseconds) : null;
}

/** A point in time given by the client; `null` when absent. */
export function instantParameter(query: QueryParameters, name: string): Instant | null {
  const text = query.text(name);
  if (text === null) return null;
  const at = parseInstant(text);
  if (at === null) throw invalidParameter(name, 'Unix seconds, an RFC 3339 time or a day such as 2026-11-21');
  return at;
}

export interface Period {
  /** Included. */
  readonly from: Instant | null;
  /** Not included. */
  readonly to: Instant | null;
}

/** `start` and `end`; the end is not included and comes after the start. */
export function periodParameter(query: QueryParameters): Period {
  const from = instantParameter(query, 'start');
  const to = instantParameter(query, 'end');
  if (from !== null && to !== null && to <= from) throw invalidParameter('end', 'later than start');
  return { from, to };
}
