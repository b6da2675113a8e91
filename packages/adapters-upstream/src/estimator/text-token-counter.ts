import { type TokenCount, type TokenCounter, tokenCount } from '@tollgate/core';
import { KIND_OF_CODE } from './character-kinds.js';
import { ROW_SHIFT, UNITS_PER_TOKEN, WEIGHTS } from './token-weights.js';

/**
 * Estimates the tokens of a text that arrives in pieces: every character adds what one of its kind adds after one of the kind before it.
 * Nothing is looked up but two tables and nothing is decided, so that any text takes the same time for each of its characters.
 * The total does not depend on where the pieces were cut, and never falls.
 */
export class TextTokenCounter implements TokenCounter {
  #units = 0;
  /** Where the weights of what follows stand. */
  #row = 0;

  add(text: string): void {
    let units = this.#units;
    let row = this.#row;
    for (let position = 0; position < text.length; position += 1) {
      const kind = KIND_OF_CODE[text.charCodeAt(position)] as number;
      units += WEIGHTS[row | kind] as number;
      row = kind << ROW_SHIFT;
    }
    this.#units = units;
    this.#row = row;
  }

  get tokens(): TokenCount {
    return tokenCount(Math.ceil(this.#units / UNITS_PER_TOKEN));
  }
}
