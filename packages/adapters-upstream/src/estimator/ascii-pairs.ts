import { KIND_OF_CODE } from './character-kinds.js';
import { ROW_SHIFT, WEIGHTS } from './token-weights.js';

const CODES = 0x80;
const BITS_PER_CHARACTER = 8;

function weightsByPairs(): Uint8Array {
  const weights = new Uint8Array(1 << (2 * BITS_PER_CHARACTER));
  for (let before = 0; before < CODES; before += 1) {
    const row = (KIND_OF_CODE[before] as number) << ROW_SHIFT;
    for (let code = 0; code < CODES; code += 1) weights[before | (code << BITS_PER_CHARACTER)] = WEIGHTS[row | (KIND_OF_CODE[code] as number)] as number;
  }
  return weights;
}

/** What an ASCII character adds after another, at `before | code << 8`: as the two stand in the memory of a little-endian machine. */
const PAIRS: Uint8Array = weightsByPairs();

/**
 * Units that all but the first of so many ASCII characters add, each after the one before it. The bytes are given as whole words too,
 * in the order of a little-endian machine, since four characters are read at once: this is the part of an estimate that takes time.
 */
export function unitsOfAscii(bytes: Uint8Array, words: Int32Array, length: number): number {
  const wholeWords = (length - 1) >> 2;
  let units = 0;
  let word = words[0] as number;
  for (let position = 1; position <= wholeWords; position += 1) {
    const next = words[position] as number;
    units += (PAIRS[word & 0xffff] as number) + (PAIRS[(word >>> 8) & 0xffff] as number)
      + (PAIRS[word >>> 16] as number) + (PAIRS[(word >>> 24) | ((next & 0xff) << 8)] as number);
    word = next;
  }
  for (let position = wholeWords << 2; position < length - 1; position += 1) {
    units += PAIRS[(bytes[position] as number) | ((bytes[position + 1] as number) << BITS_PER_CHARACTER)] as number;
  }
  return units;
}
