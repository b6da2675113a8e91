import { KIND_OF_CODE } from './character-kinds.js';
import { PROMPT_WEIGHTS, ROW_SHIFT, WEIGHTS } from './token-weights.js';

const CODES = 0x80;
const BITS_PER_CHARACTER = 8;
const TABLE_SIZE = 1 << (2 * BITS_PER_CHARACTER);

/** Where the weights of outputs and of prompts begin among the pairs. */
export const OUTPUT_PAIRS = 0;
export const PROMPT_PAIRS = TABLE_SIZE;

function weightsByPairs(weights: Uint8Array): Uint8Array {
  const pairs = new Uint8Array(TABLE_SIZE);
  for (let before = 0; before < CODES; before += 1) {
    const row = (KIND_OF_CODE[before] as number) << ROW_SHIFT;
    for (let code = 0; code < CODES; code += 1) pairs[before | (code << BITS_PER_CHARACTER)] = weights[row | (KIND_OF_CODE[code] as number)] as number;
  }
  return pairs;
}

function bothTables(): Uint8Array {
  const tables = new Uint8Array(2 * TABLE_SIZE);
  tables.set(weightsByPairs(WEIGHTS), OUTPUT_PAIRS);
  tables.set(weightsByPairs(PROMPT_WEIGHTS), PROMPT_PAIRS);
  return tables;
}

/**
 * What an ASCII character adds after another, at `before | code << 8`: as the two stand in the memory of a little-endian machine.
 * Both tables are one constant, and indexes are masked, so that V8 needs no check of their bounds: a table handed in takes an eighth longer.
 */
const PAIRS: Uint8Array = bothTables();

/** A text of ASCII in memory, as bytes and as whole words in the order of a little-endian machine. */
export interface AsciiText {
  readonly bytes: Uint8Array;
  readonly words: Int32Array;
  readonly length: number;
}

/**
 * Units that all but the first character add, each after the one before it, by the weights of one table. Four characters are read at once:
 * this is the part of an estimate that takes time.
 */
export function unitsOfAscii({ bytes, words, length }: AsciiText, table: number): number {
  const start = table & PROMPT_PAIRS;
  const wholeWords = (length - 1) >> 2;
  let units = 0;
  let word = words[0] as number;
  for (let position = 1; position <= wholeWords; position += 1) {
    const next = words[position] as number;
    units += (PAIRS[start + (word & 0xffff)] as number) + (PAIRS[start + ((word >>> 8) & 0xffff)] as number)
      + (PAIRS[start + (word >>> 16)] as number) + (PAIRS[start + (((word >>> 24) | (next << BITS_PER_CHARACTER)) & 0xffff)] as number);
    word = next;
  }
  for (let position = wholeWords << 2; position < length - 1; position += 1) {
    units += PAIRS[start + (((bytes[position] as number) | ((bytes[position + 1] as number) << BITS_PER_CHARACTER)) & 0xffff)] as number;
  }
  return units;
}
