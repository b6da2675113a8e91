import { isBlank, type JsonObject, type JsonValue } from '@tollgate/core';

/** Fields that only identify an event, in any format. */
const LABELS: ReadonlySet<string> = new Set(['type', 'object', 'id', 'event_id', 'sequence_number', 'created', 'created_at', 'model']);

/** True if an error contains no word and no code at any depth. */
function saysNothing(error: JsonValue | undefined): boolean {
  if (error === undefined || error === null || error === false || error === 0) return true;
  if (typeof error === 'string') return isBlank(error);
  return typeof error === 'object' && Object.values(error).every(saysNothing);
}

/** True for absent, zero or empty values. Whitespace is not empty: it may be part of the reply. */
function isVoid(value: JsonValue | undefined): boolean {
  if (value === undefined || value === null || value === 0 || value === '') return true;
  return typeof value === 'object' && Object.keys(value).length === 0;
}

function isOnlyLabelled(object: JsonObject, isEmpty: (value: JsonValue) => boolean, except?: string): boolean {
  return Object.entries(object).every(([key, value]) => key === except || LABELS.has(key) || isEmpty(value as JsonValue));
}

/** True if the data of an event are blank, a comment, or an empty JSON value such as `null` or `[]`. */
export function isEmptyData(data: string): boolean {
  const text = data.trim();
  if (text === '' || text.startsWith(':')) return true;
  try {
    return isVoid(JSON.parse(text) as JsonValue);
  } catch {
    return false;
  }
}

/** The error that an object reports; `null` without an error, or without any word or code in it. */
export function errorIn(object: JsonObject): JsonValue | null {
  const error = object['error'] ?? null;
  if (saysNothing(error)) return object['object'] === 'error' && !isOnlyLabelled(object, saysNothing) ? object : null;
  const isUnnamed = (error as JsonObject)['type'] === 'error' && isOnlyLabelled(error as JsonObject, saysNothing);
  return isUnnamed ? null : error;
}

/** True if an event has no content, or only an error without word and code. */
export function isEmptyEvent(event: JsonObject): boolean {
  const reportsError = 'error' in event || event['type'] === 'error' || event['object'] === 'error';
  if (reportsError) return errorIn(event) === null && isOnlyLabelled(event, isVoid, 'error');
  for (const name in event) if (!isVoid(event[name])) return false;
  return true;
}
