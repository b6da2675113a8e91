import { COMMON_IDEOGRAPHS } from './common-ideographs.js';

/** A range of UTF-16 code units that count as one kind. */
type Range = readonly [from: number, to: number];

function characters(text: string): readonly Range[] {
  return Array.from(text, (character) => [character.charCodeAt(0), character.charCodeAt(0)]);
}

/** One kind for each code unit of a range. */
function each([from, to]: Range): readonly (readonly Range[])[] {
  return Array.from({ length: to - from + 1 }, (_none, offset) => [[from + offset, from + offset]]);
}

/**
 * The kinds of characters, by position; where ranges overlap, the later kind has the character. Letters that most words are written in are a kind each, since which of them follow each other
 * tells how well a vocabulary knows the language; marks that code is made of are few to a kind; scripts without such words are a kind as a whole.
 */
const KINDS: readonly (readonly Range[])[] = [
  // Nothing: the beginning of a text. Then every letter that none of the kinds below takes.
  [],
  [[0x0000, 0xffff]],
  ...each([0x61, 0x7a]),
  // Capitals by how often words are made of them, so that words in capitals cost less than letters at random.
  ...['AEIO', 'NRSTLDC', 'BFGHMPUVWY', 'JKQXZ'].map(characters),
  // Digits, spaces, tabs, line ends.
  [[0x30, 0x39]],
  characters(' \u00a0'),
  characters('\t'),
  [[0x0a, 0x0d]],
  ...['.', ',', '-', '_', '/\\', '=', '*#', '"', '\'`', '([{', ')]}', '<>', ':;', '!?', '@$%^&+|~'].map(characters),
  // Control characters.
  [[0x00, 0x08], [0x0e, 0x1f], [0x7f, 0x7f]],
  // Letters with accents: those of western, of other European languages, of phonetics and Vietnamese.
  [[0xc0, 0xff]],
  [[0x100, 0x24f]],
  [[0x250, 0x2af], [0x300, 0x36f], [0x1e00, 0x1eff]],
  // Greek, Cyrillic capitals, Cyrillic letters besides the Russian ones, Hebrew, Arabic and what other languages add to it.
  [[0x370, 0x3ff]],
  [[0x410, 0x42f]],
  [[0x400, 0x40f], [0x450, 0x52f]],
  [[0x590, 0x5ff]],
  [[0x600, 0x670]],
  [[0x671, 0x6ff]],
  // Devanagari, Bengali, Tamil, Telugu and Kannada, the other scripts of India.
  [[0x900, 0x97f]],
  [[0x980, 0x9ff]],
  [[0xb80, 0xbff]],
  [[0xc00, 0xcff]],
  [[0xa00, 0xb7f], [0xd00, 0xdff]],
  // Thai, Burmese, Khmer and Lao; Armenian and Georgian.
  [[0xe00, 0xe7f]],
  [[0xe80, 0xeff], [0x1000, 0x109f], [0x1780, 0x17ff]],
  [[0x530, 0x58f], [0x10a0, 0x10ff]],
  // Ideographs that are not among the common ones, Hiragana, Katakana, Hangul, punctuation as wide as an ideograph.
  [[0x3400, 0x4dbf], [0x4e00, 0x9fff], [0xf900, 0xfaff]],
  characters(COMMON_IDEOGRAPHS),
  [[0x3040, 0x309f]],
  [[0x30a0, 0x30ff]],
  [[0x1100, 0x11ff], [0xac00, 0xd7a3]],
  [[0x3000, 0x303f], [0xff00, 0xffef]],
  // Marks of western languages, dashes and quotes, what boxes are drawn with, and every other symbol.
  [[0x80, 0x9f], [0xa1, 0xbf]],
  [[0x2000, 0x206f]],
  [[0x2500, 0x259f]],
  [[0x2070, 0x24ff], [0x25a0, 0x2bff], [0xfe0f, 0xfe0f]],
  // Halves of characters beyond the basic plane: first those of any and of most emoji, second those of faces and others known well, and of the rest.
  [[0xd800, 0xdbff]],
  [[0xd83d, 0xd83d]],
  [[0xdc00, 0xdd3f], [0xde00, 0xdebf]],
  [[0xdd40, 0xddff], [0xdec0, 0xdfff]],
  // The letters of Russian.
  ...each([0x430, 0x44f]),
];

function kindsByCode(): Uint8Array {
  const kinds = new Uint8Array(0x10000);
  for (const [kind, ranges] of KINDS.entries()) for (const [from, to] of ranges) kinds.fill(kind, from, to + 1);
  return kinds;
}

/** The kind of each UTF-16 code unit. */
export const KIND_OF_CODE: Uint8Array = kindsByCode();

export const KIND_COUNT = KINDS.length;
