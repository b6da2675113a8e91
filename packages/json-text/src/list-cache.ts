import { type ParsedText, surveyJson } from './survey.js';

/** Shorter lists are not cached: parsing them is as fast as recognising them. */
export const MIN_CACHED_CHARACTERS = 1_024;
/** Longer lists are not cached: a value may take many times the memory of its text. */
const MAX_CACHED_CHARACTERS = 262_144;
/** Lists with more members are not cached. Equals the default limit on tools. */
const MAX_MEMBERS = 128;
export const MAX_LISTS = 32;
/** Maximum characters of all cached lists together. */
const MAX_CHARACTERS = 1_048_576;
const MAX_TRACES = 256;
/** Number of characters that a trace contains from each end of its list. */
const TRACE_CHARACTERS = 24;

/**
 * Caches lists that recur in consecutive requests, such as an agent's tools. A list is cached when it is seen a second time; the least
 * recently used one is evicted.
 */
export class ListCache {
  #kept: readonly ParsedText[] = [];
  /** Length and both ends of each list that was seen once. */
  readonly #traces = new Set<string>();

  /** Returns the cached list at this position, or `null`. Its value is frozen, because requests share it. */
  recall(text: string, start: number): ParsedText | null {
    const found = this.#kept.find((list) => text.slice(start, start + list.text.length) === list.text);
    if (found === undefined) return null;
    if (found !== this.#kept[0]) this.#kept = [found, ...this.#kept.filter((list) => list !== found)];
    return found;
  }

  /** Records a list that is not cached, and caches it the second time. */
  note(text: string, value: unknown): void {
    if (text.length < MIN_CACHED_CHARACTERS || text.length > MAX_CACHED_CHARACTERS) return;
    if (!Array.isArray(value) || value.length > MAX_MEMBERS) return;
    const trace = `${text.length} ${text.slice(0, TRACE_CHARACTERS)}${text.slice(-TRACE_CHARACTERS)}`;
    if (this.#traces.delete(trace)) this.#keep({ text: ownCopy(text), value: frozen(value), ...countsIn(text) });
    else this.#leave(ownCopy(trace));
  }

  #leave(trace: string): void {
    if (this.#traces.size >= MAX_TRACES) this.#traces.clear();
    this.#traces.add(trace);
  }

  #keep(list: ParsedText): void {
    const kept: ParsedText[] = [];
    let characters = 0;
    for (const each of [list, ...this.#kept]) {
      characters += each.text.length;
      if (kept.length < MAX_LISTS && characters <= MAX_CHARACTERS) kept.push(each);
    }
    this.#kept = kept;
  }
}

/** Counts keys and items of a list: cached lists count towards the limits too. */
function countsIn(text: string): Pick<ParsedText, 'keys' | 'items'> {
  const survey = surveyJson(text, { maximumDepth: Infinity, maximumTokens: Infinity, watchedDepth: Infinity, searches: [], texts: null });
  return survey.withinDepth ? { keys: survey.keys, items: survey.items } : { keys: 0, items: 0 };
}

/** Copies a text, since a slice would keep the whole text in memory. The text may begin or end within a surrogate pair. */
function ownCopy(text: string): string {
  return Buffer.from(text, 'utf16le').toString('utf16le');
}

function frozen(value: unknown): unknown {
  if (typeof value === 'object' && value !== null) for (const member of Object.values(Object.freeze(value))) frozen(member);
  return value;
}

/**
 * Caches a function's result per object, while the object exists. The result must depend on the object alone, and the object must be immutable.
 * Further arguments only locate the object for errors.
 */
export function oncePer<Subject extends object, Position extends readonly unknown[], Result>(
  make: (subject: Subject, ...place: Position) => Result,
): (subject: Subject, ...place: Position) => Result {
  const made = new WeakMap<Subject, Result>();
  return (subject, ...place) => {
    const before = made.get(subject);
    if (before !== undefined) return before;
    const result = make(subject, ...place);
    made.set(subject, result);
    return result;
  };
}
