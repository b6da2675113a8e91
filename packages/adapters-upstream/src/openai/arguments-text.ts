/** What may come before a nested object, so that what looks like a repetition of the beginning may be its value. */
const OPENS_A_VALUE = /[:[,]\s*$/;

/**
 * The arguments of one call, put together from fragments.
 * Some servers repeat all the arguments so far in every fragment, and arguments may hold, nested, their own beginning:
 * `{"a":` and then `{"a":1}` is either. What may be either is kept back until the call ends or a fragment tells.
 */
export class ArgumentsText {
  #text = '';
  /** The latest fragments, as long as each of them begins with all of the text. */
  #kept: string[] = [];

  /** Gives what is certain to come next. */
  add(fragment: string): string {
    if (fragment === '') return '';
    if (this.#repeats(fragment)) {
      this.#kept.push(fragment);
      return '';
    }
    const added = this.#kept.join('') + fragment;
    this.#kept = [];
    this.#text += added;
    return added;
  }

  /** Gives what was kept back, once nothing more will come. */
  finish(): string {
    const last = this.#kept.at(-1);
    if (last === undefined) return '';
    const joined = this.#kept.join('');
    return this.#isRepetition(joined, last) ? last.slice(this.#text.length) : joined;
  }

  /** The lengths are compared first, so that growing arguments are not put in one piece and looked through again for every short fragment. */
  #repeats(fragment: string): boolean {
    return fragment.length >= this.#text.length && this.#text.startsWith('{') && fragment.startsWith(this.#text);
  }

  /** Only one of the two readings can be whole; of arguments that were cut off, the likelier one is taken. */
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
