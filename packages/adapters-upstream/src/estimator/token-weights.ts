/**
 * Tokens by what stands in a text, fitted to a current vocabulary of 200,000 entries over prose, code and data in several scripts.
 * The space before a word belongs to the word.
 */
export const WEIGHTS = {
  /** For a word of 17 or more letters, on top of one of 16. */
  letterBeyond: 0.2,
  /** For each capital after the first in a row. */
  furtherCapital: 0.15,
  accentedLetter: 0.25,
  /** Up to three digits. */
  digitGroup: 1,
  spaceBeforeDigit: 1,
  /** Two or more spaces, save for the last one. */
  indentation: 1,
  lineBreak: 0.9,
  lineBreakAfterMark: 0.2,
  markBeforeWord: 0.7,
  markAfterSpace: 0.95,
  loneMark: 0.9,
  twoMarks: 1.2,
  marks: 1,
  furtherMark: 0.4,
  repeatedMarks: 1,
  furtherRepeatedMark: 0.05,
  han: 0.75,
  kana: 0.65,
  hangul: 0.65,
  cyrillicRun: 0.5,
  cyrillicLetter: 0.2,
  letterRun: 0.5,
  letter: 0.4,
  wideMark: 0.9,
  symbol: 1,
};

/** Tokens of a word by its number of letters, from 0 to 16. Never less for a longer word. */
export const WORD_TOKENS = [0, 1, 1, 1.02, 1.02, 1.05, 1.1, 1.15, 1.2, 1.3, 1.4, 1.5, 1.6, 1.7, 1.8, 2, 2.2];
