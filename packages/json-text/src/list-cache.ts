import type { ParsedText } from './lexer/field-search.js';
import { surveyJson } from './lexer/survey.js';

/** A shorter list is parsed as fast as it is recognized. */
export const SHORTEST_CACHED_CHARACTERS = 1_024;
/** A longer list is kept for nobody: what is in it may take many times the memory of its text, and is not yet known to be tools. */
const LONGEST_CACHED_CHARACTERS = 262_144;
/** As many tools as a request may have. */
const MOST_MEMBERS = 128;
const MOST_LISTS = 32;
/** Of all lists together. */
const MOST_CHARACTERS = 1_048_576;
const MOST_TRACES = 256;
/** Of either end of a list. */
const TRACE_CHARACTERS = 24;

/**
 * Lists that stand in one request after the other, as an agent's tools do: each is parsed once for as long as it keeps coming.
 * A list is kept when it comes a second time, and the one that has not come for longest makes room for it.
 */
export class ListCache {
  #kept: readonly ParsedText[] = [];
  /** Of lists that came once, enough to tell that they come again: were it another list, it would be kept one time early. */
  readonly #traces = new Set<string>();

  /** The list whose text stands here, `null` when it is none of those kept. Its value is frozen, since it belongs to many requests. */
  recall(text: string, start: number): ParsedText | null {
    const found = this.#kept.find((list) => text.slice(start, start + list.text.length) === list.text);
    if (found === undefined) return null;
    if (found !== this.#kept[0]) this.#kept = [found, ...this.#kept.filter((list) => list !== found)];
    return found;
  }

  /** Takes note of a list that is not kept. */
  note(text: string, value: unknown): void {
    if (text.length < SHORTEST_CACHED_CHARACTERS || text.length > LONGEST_CACHED_CHARACTERS) return;
    if (!Array.isArray(value) || value.length > MOST_MEMBERS) return;
    const trace = `${text.length} ${text.slice(0, TRACE_CHARACTERS)}${text.slice(-TRACE_CHARACTERS)}`;
    if (this.#traces.delete(trace)) this.#keep({ text: ownCopy(text), value: frozen(value), ...countsIn(text) });
    else this.#leave(ownCopy(trace));
  }

  #leave(trace: string): void {
    if (this.#traces.size >= MOST_TRACES) this.#traces.clear();
    this.#traces.add(trace);
  }

  #keep(list: ParsedText): void {
    const kept: ParsedText[] = [];
    let characters = 0;
    for (const each of [list, ...this.#kept]) {
      characters += each.text.length;
      if (kept.length < MOST_LISTS && characters <= MOST_CHARACTERS) kept.push(each);
    }
    this.#kept = kept;
  }
}

/** Counted once, so that a body counts the same whether its list is known or not. */
function countsIn(text: string): Pick<ParsedText, 'keys' | 'items'> {
  const survey = surveyJson(text, { maximumDepth: Infinity, maximumTokens: Infinity, watchedDepth: Infinity, searches: [], items: null, texts: null });
  return survey.withinDepth ? { keys: survey.keys, items: survey.items } : { keys: 0, items: 0 };
}

/** The same text, also one that was cut through a character, without the longer one it was cut out of, which would be kept with it. */
function ownCopy(text: string): string {
  return Buffer.from(text, 'utf16le').toString('utf16le');
}

function frozen(value: unknown): unknown {
  if (typeof value === 'object' && value !== null) for (const member of Object.values(Object.freeze(value))) frozen(member);
  return value;
}
