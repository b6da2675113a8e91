import type { JsonObject, JsonValue } from '@tollgate/core';
import { parseObject } from '../json-access.js';

const QUOTE = '"';
const QUOTE_CODE = 0x22;
const BACKSLASH_CODE = 0x5c;
const FIRST_PRINTABLE_CODE = 0x20;

/** Where in a JSON value a text stands. */
interface Place {
  readonly holder: Record<string, JsonValue>;
  readonly key: string;
}

interface ShapeParts extends Place {
  /** The JSON before the text and after it, the quotes included. */
  readonly start: string;
  readonly end: string;
  readonly object: JsonObject;
}

/**
 * What the JSON of events has in common that differ in nothing but one text, such as the pieces of a reply.
 * Puts the text of a further such event into the same object, which says the same as parsing it and takes a fraction of the time.
 */
export class EventShape {
  private constructor(private readonly parts: ShapeParts) {}

  /** The shape that two JSON objects have in common; `null` when they differ in anything but one text, or in a text with escapes. */
  static ofBoth(first: string, second: string): EventShape | null {
    // Both ends of the text are quotes that the two have in common.
    const start = second.slice(0, second.lastIndexOf(QUOTE, commonStart(first, second) - 1) + 1);
    const mostEnd = Math.min(first.length, second.length) - start.length;
    const endFrom = second.indexOf(QUOTE, second.length - commonEnd(first, second, mostEnd));
    if (start === '' || endFrom < 0 || !isPlain(second.slice(start.length, endFrom))) return null;
    const end = second.slice(endFrom);
    // What is longer than an event stands nowhere else in it: where this is found, the text is.
    const probe = 'x'.repeat(second.length);
    const object = parseObject(start + probe + end);
    const place = object === null ? null : placeOf(probe, object);
    return object === null || place === null ? null : new EventShape({ start, end, object, ...place });
  }

  /** The object of an event of this shape, which holds until the next is asked for; `null` when it has another shape or a text with escapes. */
  read(event: string): JsonObject | null {
    const { start, end, object, holder, key } = this.parts;
    const textEnd = event.length - end.length;
    // Comparing slices takes a fraction of the time that `startsWith` and `endsWith` take.
    if (textEnd < start.length || event.slice(0, start.length) !== start || event.slice(textEnd) !== end) return null;
    const text = event.slice(start.length, textEnd);
    if (!isPlain(text)) return null;
    holder[key] = text;
    return object;
  }
}

function commonStart(first: string, second: string): number {
  const most = Math.min(first.length, second.length);
  let length = 0;
  while (length < most && first.charCodeAt(length) === second.charCodeAt(length)) length += 1;
  return length;
}

function commonEnd(first: string, second: string, most: number): number {
  let length = 0;
  while (length < most && first.charCodeAt(first.length - 1 - length) === second.charCodeAt(second.length - 1 - length)) length += 1;
  return length;
}

/** Whether a text stands in JSON as what it is. */
function isPlain(text: string): boolean {
  for (let position = 0; position < text.length; position += 1) {
    const code = text.charCodeAt(position);
    if (code === QUOTE_CODE || code === BACKSLASH_CODE || code < FIRST_PRINTABLE_CODE) return false;
  }
  return true;
}

/** The place of a text that stands nowhere else; `null` where it is the name of something, or is hidden by another of its name. */
function placeOf(text: string, value: JsonValue): Place | null {
  if (typeof value !== 'object' || value === null) return null;
  for (const [key, inner] of Object.entries(value)) {
    const place = inner === text ? { holder: value as Record<string, JsonValue>, key } : placeOf(text, inner as JsonValue);
    if (place !== null) return place;
  }
  return null;
}
