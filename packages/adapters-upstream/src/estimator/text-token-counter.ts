import { endianness } from 'node:os';
import { type TokenCount, type TokenCounter, tokenCount } from '@tollgate/core';
import { OUTPUT_PAIRS, PROMPT_PAIRS, unitsOfAscii } from './ascii-pairs.js';
import { KIND_OF_CODE } from './character-kinds.js';
import { PROMPT_WEIGHTS, ROW_SHIFT, UNITS_PER_TOKEN, WEIGHTS } from './token-weights.js';

/** UTF-16 code units that are written to the scratch at once; in UTF-8 each takes three bytes at most. */
const PIECE_CODES = 16_384;
const MOST_BYTES_PER_CODE = 3;
/** A shorter text is weighed before it would be written. Only the order of bytes that nearly every machine has is read there. */
const SHORTEST_WRITTEN = endianness() === 'LE' ? 48 : Infinity;

/** What characters weigh: by the kinds of two neighbours, and the table of two neighbours of ASCII. */
export interface TokenScale {
  readonly weights: Uint8Array;
  readonly pairs: number;
}

/** For outputs, which are cut off when they are counted too high: as a vocabulary counts that joins digits. */
export const OUTPUT_SCALE: TokenScale = { weights: WEIGHTS, pairs: OUTPUT_PAIRS };
/** For prompts: nearer to vocabularies that give each digit a token. */
export const PROMPT_SCALE: TokenScale = { weights: PROMPT_WEIGHTS, pairs: PROMPT_PAIRS };

/** Where a text is written to be read as numbers, which is several times as fast as asking a string for each of its characters. */
const scratch = Buffer.from(new ArrayBuffer(PIECE_CODES * MOST_BYTES_PER_CODE));
const scratchWords = new Int32Array(scratch.buffer);
const scratchCodes = new Uint16Array(scratch.buffer);

/**
 * Estimates the tokens of a text that arrives in pieces: every character adds what one of its kind adds after one of the kind before it.
 * Nothing is looked up but tables and nothing is decided, so that any text takes the same time for each of its characters.
 * The total does not depend on where the pieces were cut, and never falls.
 */
export class TextTokenCounter implements TokenCounter {
  readonly #weights: Uint8Array;
  readonly #pairs: number;
  #units = 0;
  /** Where the weights of what follows stand. */
  #row = 0;

  constructor({ weights, pairs }: TokenScale = OUTPUT_SCALE) {
    this.#weights = weights;
    this.#pairs = pairs;
  }

  add(text: string): void {
    if (text.length < SHORTEST_WRITTEN) {
      for (let position = 0; position < text.length; position += 1) this.#addCode(text.charCodeAt(position));
      return;
    }
    for (let from = 0; from < text.length; from += PIECE_CODES) this.#addPiece(text.slice(from, from + PIECE_CODES));
  }

  get tokens(): TokenCount {
    return tokenCount(Math.ceil(this.#units / UNITS_PER_TOKEN));
  }

  /** In UTF-8, a text that takes as many bytes as it has code units is ASCII. */
  #addPiece(piece: string): void {
    if (scratch.write(piece) === piece.length) this.#addAscii(piece.length);
    else this.#addCodes(scratch.write(piece, 'utf16le') / Uint16Array.BYTES_PER_ELEMENT);
  }

  #addAscii(length: number): void {
    this.#addCode(scratch[0] as number);
    this.#units += unitsOfAscii({ bytes: scratch, words: scratchWords, length }, this.#pairs);
    this.#row = (KIND_OF_CODE[scratch[length - 1] as number] as number) << ROW_SHIFT;
  }

  #addCodes(length: number): void {
    const weights = this.#weights;
    let units = this.#units;
    let row = this.#row;
    for (let position = 0; position < length; position += 1) {
      const kind = KIND_OF_CODE[scratchCodes[position] as number] as number;
      units += weights[row | kind] as number;
      row = kind << ROW_SHIFT;
    }
    this.#units = units;
    this.#row = row;
  }

  #addCode(code: number): void {
    const kind = KIND_OF_CODE[code] as number;
    this.#units += this.#weights[this.#row | kind] as number;
    this.#row = kind << ROW_SHIFT;
  }
}
