/** Kinds of characters that vocabularies treat alike. Numbers, because there is one for every character of every prompt. */
export const NOTHING = 0;
export const LOWER = 1;
export const UPPER = 2;
export const ACCENTED = 3;
export const DIGIT = 4;
export const SPACE = 5;
export const BREAK = 6;
export const MARK = 7;
export const HAN = 8;
export const KANA = 9;
export const HANGUL = 10;
export const CYRILLIC = 11;
export const LETTER = 12;
export const WIDE_MARK = 13;
export const SYMBOL = 14;
/** Half of a character beyond the basic plane: mostly emoji. */
export const SURROGATE = 15;

type Range = readonly [from: number, to: number, kind: number];

const RANGES: readonly Range[] = [
  [0x0000, 0xffff, SYMBOL],
  [0x0000, 0x007f, MARK],
  [0x0009, 0x0009, SPACE], [0x0020, 0x0020, SPACE], [0x00a0, 0x00a0, SPACE],
  [0x000a, 0x000d, BREAK],
  [0x0030, 0x0039, DIGIT],
  [0x0041, 0x005a, UPPER],
  [0x0061, 0x007a, LOWER],
  [0x00c0, 0x02af, ACCENTED], [0x1e00, 0x1eff, ACCENTED],
  [0x0370, 0x03ff, LETTER],
  [0x0400, 0x052f, CYRILLIC],
  [0x0530, 0x1dff, LETTER],
  [0x1100, 0x11ff, HANGUL], [0xac00, 0xd7a3, HANGUL],
  [0x3000, 0x303f, WIDE_MARK], [0xff00, 0xffef, WIDE_MARK],
  [0x3040, 0x30ff, KANA],
  [0xd800, 0xdfff, SURROGATE],
  [0x3400, 0x4dbf, HAN], [0x4e00, 0x9fff, HAN], [0xf900, 0xfaff, HAN],
];

function kindsByCode(): Uint8Array {
  const kinds = new Uint8Array(0x10000);
  for (const [from, to, kind] of RANGES) kinds.fill(kind, from, to + 1);
  return kinds;
}

/** The kind of each UTF-16 code unit. */
export const KIND_OF_CODE: Uint8Array = kindsByCode();
