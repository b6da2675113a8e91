// Fast path for events of a stream that differ in one string; `docs/performance.md` states the gain.
import type { JsonObject, JsonValue } from '@tollgate/core';

/** Returns `null` unless the text is a JSON object. */
type ParseObject = (json: string) => JsonObject | null;

/**
 * Maximum consecutive events that are compared with their predecessor. Replies have one or two event shapes; a reply with more is parsed without the
 * fast path.
 */
const MAX_COMPARED = 8;
/** Larger events are not compared, and their shapes not kept. */
const MAX_COMPARED_CHARACTERS = 4096;

/**
 * Parses the events of one reply. Most differ from the previous one in one string, the next piece of text: such an event is recognised by
 * the JSON around the string, and only the string is parsed.
 */
export class EventParser {
  #last = '';
  #shape: EventShape | null = null;
  #compared = 0;

  /** @param parseObject parses an event as a whole; the fast path gives the same result. */
  constructor(private readonly parseObject: ParseObject) {}

  /** Returns a new object per event; `null` unless the event is a JSON object. */
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
    // Texts with an escape, such as a line break, give no shape. The earlier shape is kept, because it fits the next event.
    if (this.#last !== '') this.#shape = EventShape.ofBoth([this.#last, event], this.parseObject) ?? this.#shape;
    this.#last = event;
  }
}

/** Path of a value: keys and indexes, outermost first. */
type Path = readonly (string | number)[];

const QUOTE = '"';
/** Matches a quote, a backslash or a control character: in a JSON string they need an escape, or end it. */
// oxlint-disable-next-line no-control-regex
const NOT_PLAIN = /["\\\u0000-\u001f]/;

interface ShapeParts {
  /** The common text before the string, including its opening quote. */
  readonly start: string;
  readonly end: string;
  readonly example: JsonObject;
  readonly path: Path;
}

/** The common parts of JSON texts that differ in one string. */
class EventShape {
  private constructor(private readonly parts: ShapeParts) {}

  /** The common shape of two events; `null` if more than one string differs, or if it has escapes. */
  static ofBoth([first, second]: readonly [string, string], parseObject: ParseObject): EventShape | null {
    // The common parts end and begin with the quotes of the string.
    const start = second.slice(0, second.lastIndexOf(QUOTE, commonStart(first, second) - 1) + 1);
    const mostEnd = Math.min(first.length, second.length) - start.length;
    const endFrom = second.indexOf(QUOTE, second.length - commonEnd(first, second, mostEnd));
    if (start === '' || endFrom < start.length || NOT_PLAIN.test(second.slice(start.length, endFrom))) return null;
    const end = second.slice(endFrom);
    // Longer than the event, so that it occurs nowhere else in the parsed example.
    const probe = 'x'.repeat(second.length + 1);
    const example = parseObject(start + probe + end);
    const path = example === null ? null : pathOf(probe, example);
    return example === null || path === null ? null : new EventShape({ start, end, example, path });
  }

  /** The event's object; `null` if the event has another shape, or escapes in its string. */
  read(event: string): JsonObject | null {
    const { start, end, example, path } = this.parts;
    const endFrom = event.length - end.length;
    // Comparing slices takes a fraction of the time of `startsWith` and `endsWith`.
    if (endFrom < start.length || event.slice(0, start.length) !== start || event.slice(endFrom) !== end) return null;
    const text = event.slice(start.length, endFrom);
    return NOT_PLAIN.test(text) ? null : replaced(example, { path, text }, 0) as JsonObject;
  }
}

interface Replacement {
  readonly path: Path;
  readonly text: string;
}

/** Copies the value along the path with another string at its end; the rest is shared. */
function replaced(value: JsonValue | undefined, replacement: Replacement, depth: number): JsonValue {
  if (depth === replacement.path.length) return replacement.text;
  const key = replacement.path[depth] as string;
  const copy = Array.isArray(value) ? value.slice() : { ...value as JsonObject };
  (copy as Record<string, JsonValue>)[key] = replaced((copy as JsonObject)[key], replacement, depth + 1);
  return copy as JsonValue;
}

/** The path of a string value; `null` if the string is a key, the value of a repeated key, or below a key `__proto__`. */
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
