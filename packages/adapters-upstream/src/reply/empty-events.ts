import { isBlank, type JsonObject, type JsonValue } from '@tollgate/core';

/** Fields that say what an event is and to which reply it belongs, in whichever format. */
const LABELS: ReadonlySet<string> = new Set(['type', 'object', 'id', 'event_id', 'sequence_number', 'created', 'created_at', 'model']);

/** Whether an error has no word and no code, at any depth. */
function saysNothing(error: JsonValue | undefined): boolean {
  if (error === undefined || error === null || error === false || error === 0) return true;
  if (typeof error === 'string') return isBlank(error);
  return typeof error === 'object' && Object.values(error).every(saysNothing);
}

/** White space is no empty text: it may be a piece of the reply. */
function isVoid(value: JsonValue | undefined): boolean {
  if (value === undefined || value === null || value === 0 || value === '') return true;
  return typeof value === 'object' && Object.keys(value).length === 0;
}

function isOnlyLabelled(object: JsonObject, isEmpty: (value: JsonValue) => boolean, except?: string): boolean {
  return Object.entries(object).every(([key, value]) => key === except || LABELS.has(key) || isEmpty(value as JsonValue));
}

/** Whether an event's data, which is no JSON object, says nothing: `null`, a comment that was put into the data, an empty list. */
export function isEmptyData(data: string): boolean {
  const text = data.trim();
  if (text === '' || text.startsWith(':')) return true;
  try {
    return isVoid(JSON.parse(text) as JsonValue);
  } catch {
    return false;
  }
}

/** The error that an object reports; `null` if it reports none, or one without any word or code. */
export function errorIn(object: JsonObject): JsonValue | null {
  const error = object['error'] ?? null;
  if (saysNothing(error)) return object['object'] === 'error' && !isOnlyLabelled(object, saysNothing) ? object : null;
  const isUnnamed = (error as JsonObject)['type'] === 'error' && isOnlyLabelled(error as JsonObject, saysNothing);
  return isUnnamed ? null : error;
}

/** Whether an event says nothing: it is empty, or reports an error without any word or code and nothing else. */
export function isEmptyEvent(event: JsonObject): boolean {
  const reportsError = 'error' in event || event['type'] === 'error' || event['object'] === 'error';
  if (!reportsError) return Object.values(event).every((value) => isVoid(value as JsonValue));
  return errorIn(event) === null && isOnlyLabelled(event, isVoid, 'error');
}
