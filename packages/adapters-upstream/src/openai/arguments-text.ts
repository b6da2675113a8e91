import { ObjectEnd } from './object-end.js';

/** Matches a text after which a value follows. A nested object may begin there, so what looks like a repetition may be a value. */
const OPENS_A_VALUE = /[:[,]\s*$/;

/**
 * Joins the fragments of one call's arguments. Some servers repeat all arguments so far in each fragment, and arguments may contain their own
 * beginning: `{"a":` followed by `{"a":1}` is ambiguous. Ambiguous text is held until the end or until a fragment decides.
 */
export class ArgumentsText {
  #text = '';
  /** Fragments that each begin with the whole text so far. */
  #kept: string[] = [];
  readonly #end = new ObjectEnd();

  /** True if the arguments are a whole object. */
  get isComplete(): boolean {
    return this.#end.isFound;
  }

  /** True if the fragment begins an object that is no repetition of all arguments so far. */
  differsFrom(fragment: string): boolean {
    return fragment.trimStart().startsWith('{') && !this.#repeats(fragment);
  }

  /** Returns the part of the arguments that later fragments cannot change. */
  add(fragment: string): string {
    if (fragment === '') return '';
    if (this.#repeats(fragment)) {
      this.#kept.push(fragment);
      return '';
    }
    const added = this.#kept.join('') + fragment;
    this.#kept = [];
    this.#text += added;
    this.#end.add(added);
    return added;
  }

  /** Ends the arguments. Returns the held fragments, without the part that repeats earlier arguments. */
  finish(): string {
    const last = this.#kept.at(-1);
    if (last === undefined) return '';
    const joined = this.#kept.join('');
    return this.#isRepetition(joined, last) ? last.slice(this.#text.length) : joined;
  }

  /** True if the fragment begins with all arguments so far. Compares lengths first, to stay linear for short fragments. */
  #repeats(fragment: string): boolean {
    return fragment.length >= this.#text.length && this.#text.startsWith('{') && fragment.startsWith(this.#text);
  }

  /**
   * True if the last held fragment repeats all arguments before it, rather than continuing them. A reading that is valid JSON decides; if neither is,
   * the likelier one does.
   */
  #isRepetition(joined: string, last: string): boolean {
    if (isJson(last)) return true;
    if (isJson(this.#text + joined)) return false;
    return !OPENS_A_VALUE.test(this.#text);
  }
}

function isJson(text: string): boolean {
  try {
    JSON.parse(text);
    return true;
  } catch {
    return false;
  }
}
