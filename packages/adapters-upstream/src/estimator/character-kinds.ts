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
 * The kinds of characters, by position. Letters that most words are written in are a kind each, since which of them follow each other
 * tells how well a vocabulary knows the language; marks that code is made of are few to a kind; scripts without such words are a kind as a whole.
 */
const KINDS: readonly (readonly Range[])[] = [
  // Nothing: the beginning of a text.
  [],
  ...each([0x61, 0x7a]),
  // Capitals, digits, spaces, tabs, line ends.
  [[0x41, 0x5a]],
  [[0x30, 0x39]],
  characters(' \u00a0'),
  characters('\t'),
  [[0x0a, 0x0d]],
  ...['.', ',', '-', '_', '/\\', '=', '*#', '"', '\'`', '([{', ')]}', '<>', ':;', '!?@$%^&+|~'].map(characters),
  // Control characters.
  [[0x00, 0x08], [0x0e, 0x1f], [0x7f, 0x7f]],
  // Letters with accents: those of western, of other European languages, of phonetics and Vietnamese.
  [[0xc0, 0xff]],
  [[0x100, 0x24f]],
  [[0x250, 0x2af], [0x300, 0x36f], [0x1e00, 0x1eff]],
  // Greek, Cyrillic capitals, Cyrillic letters besides the Russian ones, Hebrew, Arabic.
  [[0x370, 0x3ff]],
  [[0x410, 0x42f]],
  [[0x400, 0x40f], [0x450, 0x52f]],
  [[0x590, 0x5ff]],
  [[0x600, 0x6ff]],
  // The scripts of India, and those of South East Asia.
  [[0x900, 0xdff]],
  [[0xe00, 0x109f]],
  // Ideographs, Kana, Hangul, punctuation as wide as an ideograph.
  [[0x3400, 0x4dbf], [0x4e00, 0x9fff], [0xf900, 0xfaff]],
  [[0x3040, 0x30ff]],
  [[0x1100, 0x11ff], [0xac00, 0xd7a3]],
  [[0x3000, 0x303f], [0xff00, 0xffef]],
  // Symbols, and halves of characters beyond the basic plane: mostly emoji.
  [[0x80, 0x9f], [0xa1, 0xbf], [0x2000, 0x2bff]],
  [[0xd800, 0xdfff]],
  // Every other letter.
  [],
  ...each([0x430, 0x44f]),
];

const OTHER_LETTER = 63;

function kindsByCode(): Uint8Array {
  const kinds = new Uint8Array(0x10000).fill(OTHER_LETTER);
  for (const [kind, ranges] of KINDS.entries()) for (const [from, to] of ranges) kinds.fill(kind, from, to + 1);
  return kinds;
}

/** The kind of each UTF-16 code unit. */
export const KIND_OF_CODE: Uint8Array = kindsByCode();

export const KIND_COUNT = KINDS.length;
