/**
 * Tokens by what stands in a text, fitted to a current vocabulary of 200,000 entries over prose, code and data in several scripts.
 * The space before a word belongs to the word.
 */
export const WEIGHTS = {
  /** For each letter of a word beyond the sixteenth. */
  letterBeyond: 0.4,
  /** For each capital after the first in a row. */
  furtherCapital: 0.05,
  accentedLetter: 0.7,
  /** Up to three digits. */
  digitGroup: 1.05,
  spaceBeforeDigit: 0.9,
  /** Two or more spaces, save for the last one. */
  indentation: 0.78,
  /** For each space of a run: a model that writes nothing else still writes tokens. */
  furtherSpace: 0.02,
  /** For each line end after the second. */
  furtherLineBreak: 0.1,
  /** One or two line ends. After a mark they belong to the mark. */
  lineBreak: 1.1,
  lineBreakAfterMark: 0,
  markBeforeWord: 0.48,
  markAfterSpace: 1.1,
  loneMark: 0.89,
  twoMarks: 1.25,
  marks: 0.9,
  /** For each mark after the second. */
  furtherMark: 0.38,
  /** The same mark four times or more. */
  repeatedMarks: 1.2,
  repeatedMark: 0.03,
  han: 0.75,
  kana: 0.75,
  hangul: 0.72,
  cyrillicRun: 0.2,
  cyrillicLetter: 0.24,
  /** Greek, Arabic, Hebrew, Thai, the scripts of India and others. */
  letter: 0.4,
  /** Punctuation as wide as an ideograph. */
  wideMark: 0.65,
  symbol: 0.62,
  surrogate: 0.97,
};

/** Tokens of a word by its number of letters, from 0 to 16. Never less for a longer word. */
export const WORD_TOKENS = [0, 0.98, 0.98, 0.98, 0.98, 0.98, 0.98, 0.98, 1, 1.25, 1.5, 1.8, 2.1, 2.4, 2.7, 3, 3.3];
