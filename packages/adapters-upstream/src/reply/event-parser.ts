// Parses the events of a stream that differ in one string: `docs/performance.md`.
import type { JsonObject, JsonValue } from '@tollgate/core';

/** The object that a JSON text holds; `null` if it is no JSON, or something else. */
type ParseObject = (json: string) => JsonObject | null;

/** Events in a row of no known shape that are compared with the one before. The events of most models have one shape or two; of those that have many, all are parsed. */
const MAX_COMPARED = 8;
/** A reply keeps an event and its shape, which pays only for pieces of a text. */
const MAX_COMPARED_CHARACTERS = 4096;

/**
 * Parses the events of one reply. Most differ from the one before in one string, the next piece of the text.
 * Such an event is recognised by the JSON around its string, and only the string is read.
 */
export class EventParser {
  #last = '';
  #shape: EventShape | null = null;
  #compared = 0;

  /** @param parseObject what every event would be parsed with; the result is the same. */
  constructor(private readonly parseObject: ParseObject) {}

  /** A new object for each event; `null` if the event is no JSON object. */
  parse(event: string): JsonObject | null {
    const object = this.#shape?.read(event) ?? null;
    if (object !== null) {
      this.#compared = 0;
      return object;
    }
    if (this.#compared < MAX_COMPARED && event.length <= MAX_COMPARED_CHARACTERS) this.#compare(event);
    return this.parseObject(event);
  }

  #compare(event: string): void {
    this.#compared += 1;
    // A line break in the text needs an escape: the shape before it is that of the next event too.
    if (this.#last !== '') this.#shape = EventShape.ofBoth([this.#last, event], this.parseObject) ?? this.#shape;
    this.#last = event;
  }
}

/** Where a string is in a value: keys of objects and indexes of lists, from the outermost. */
type Path = readonly (string | number)[];

const QUOTE = '"';
/** A quote, a backslash or a control character: in a JSON string they need an escape, or end it. */
// oxlint-disable-next-line no-control-regex
const NOT_PLAIN = /["\\\u0000-\u001f]/;

interface ShapeParts {
  /** The JSON before the string and after it, with its quotes. */
  readonly start: string;
  readonly end: string;
  readonly example: JsonObject;
  readonly path: Path;
}

/** What JSON texts have in common that differ in one string. */
class EventShape {
  private constructor(private readonly parts: ShapeParts) {}

  /** `null` if the two differ in anything but one string, or in a string with escapes. */
  static ofBoth([first, second]: readonly [string, string], parseObject: ParseObject): EventShape | null {
    // Both ends of the string are quotes that the two have in common.
    const start = second.slice(0, second.lastIndexOf(QUOTE, commonStart(first, second) - 1) + 1);
    const mostEnd = Math.min(first.length, second.length) - start.length;
    const endFrom = second.indexOf(QUOTE, second.length - commonEnd(first, second, mostEnd));
    if (start === '' || endFrom < start.length || NOT_PLAIN.test(second.slice(start.length, endFrom))) return null;
    const end = second.slice(endFrom);
    // Longer than the event, so that the event has it in no other place: where the value has it, the string is.
    const probe = 'x'.repeat(second.length + 1);
    const example = parseObject(start + probe + end);
    const path = example === null ? null : pathOf(probe, example);
    return example === null || path === null ? null : new EventShape({ start, end, example, path });
  }

  /** `null` for an event of another shape, and for a string with escapes. */
  read(event: string): JsonObject | null {
    const { start, end, example, path } = this.parts;
    const endFrom = event.length - end.length;
    // Slices are compared in a fraction of the time that `startsWith` and `endsWith` take.
    if (endFrom < start.length || event.slice(0, start.length) !== start || event.slice(endFrom) !== end) return null;
    const text = event.slice(start.length, endFrom);
    return NOT_PLAIN.test(text) ? null : replaced(example, { path, text }, 0) as JsonObject;
  }
}

interface Replacement {
  readonly path: Path;
  readonly text: string;
}

/** A copy of the value with another string at the end of the path, which leads here in so many steps. What is beside the path is shared. */
function replaced(value: JsonValue | undefined, replacement: Replacement, depth: number): JsonValue {
  if (depth === replacement.path.length) return replacement.text;
  const key = replacement.path[depth] as string;
  const copy = Array.isArray(value) ? value.slice() : { ...value as JsonObject };
  (copy as Record<string, JsonValue>)[key] = replaced((copy as JsonObject)[key], replacement, depth + 1);
  return copy as JsonValue;
}

/** `null` if the string is a key, or the value of a key that is repeated. */
function pathOf(text: string, value: JsonValue): Path | null {
  if (value === text) return [];
  if (typeof value !== 'object' || value === null) return null;
  for (const [key, member] of Object.entries(value)) {
    const path = pathOf(text, member as JsonValue);
    if (path !== null) return key === '__proto__' ? null : [key, ...path];
  }
  return null;
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
