import { type TokenCount, type TokenCounter, tokenCount } from '@tollgate/core';
import {
  ACCENTED, BREAK, CYRILLIC, DIGIT, HAN, HANGUL, KANA, KIND_OF_CODE, LETTER, LOWER, MARK, NOTHING, SPACE, SURROGATE, SYMBOL, UPPER, WIDE_MARK,
} from './character-kinds.js';
import { WEIGHTS, WORD_TOKENS } from './token-weights.js';

/** What adding many weights may be off by. */
const ROUNDING_ERROR = 1e-9;
const LONGEST_WORD = WORD_TOKENS.length - 1;

/**
 * Estimates the tokens of a text that arrives in pieces. Reads runs of like characters and weighs each when it ends,
 * so that the total does not depend on where the pieces were cut. The total never falls.
 */
export class TextTokenCounter implements TokenCounter {
  #ended = 0;
  #kind = NOTHING;
  #before = NOTHING;
  #length = 0;
  #capitals = 0;
  #accented = 0;
  #mark = 0;
  #sameMark = true;

  add(text: string): void {
    let position = 0;
    while (position < text.length) {
      const code = text.charCodeAt(position);
      const kind = KIND_OF_CODE[code] ?? SYMBOL;
      if (kind === this.#kind) position = this.#goOn(text, position);
      else {
        this.#turnTo(kind, code);
        position += 1;
      }
    }
  }

  get tokens(): TokenCount {
    return tokenCount(Math.ceil(Math.max(0, this.#ended + this.#weightOfRun(NOTHING) - ROUNDING_ERROR)));
  }

  /** Reads characters of the kind of the run; returns where they end. */
  #goOn(text: string, from: number): number {
    const kind = this.#kind;
    let position = from;
    for (; position < text.length; position += 1) {
      const code = text.charCodeAt(position);
      if (KIND_OF_CODE[code] !== kind) break;
      if (kind === MARK && code !== this.#mark) this.#sameMark = false;
    }
    this.#length += position - from;
    return position;
  }

  /** A character of another kind: it goes on with the word, or ends the run. */
  #turnTo(kind: number, code: number): void {
    const inWord = this.#kind === LOWER || this.#kind === UPPER;
    if (inWord && (kind === ACCENTED || kind === LOWER)) {
      if (this.#kind === UPPER) this.#capitals = this.#length;
      if (kind === ACCENTED) this.#accented += 1;
      this.#kind = LOWER;
      this.#length += 1;
      return;
    }
    this.#ended += this.#weightOfRun(kind);
    this.#before = this.#kind;
    this.#kind = kind === ACCENTED ? LOWER : kind;
    this.#length = 1;
    this.#capitals = 0;
    this.#accented = kind === ACCENTED ? 1 : 0;
    this.#mark = code;
    this.#sameMark = true;
  }

  /** What the run costs when a character of kind `next` follows; for `NOTHING`, the least that it may come to. */
  #weightOfRun(next: number): number {
    const length = this.#length;
    switch (this.#kind) {
      case LOWER:
      case UPPER: return this.#weightOfWord();
      case DIGIT: return Math.ceil(length / 3) * WEIGHTS.digitGroup;
      case SPACE: return weightOfSpaces(length, next);
      case BREAK: return this.#weightOfBreaks();
      case MARK: return this.#weightOfMarks(next);
      case HAN: return length * WEIGHTS.han;
      case KANA: return length * WEIGHTS.kana;
      case HANGUL: return length * WEIGHTS.hangul;
      case CYRILLIC: return WEIGHTS.cyrillicRun + length * WEIGHTS.cyrillicLetter;
      case LETTER: return length * WEIGHTS.letter;
      case WIDE_MARK: return length * WEIGHTS.wideMark;
      case SYMBOL: return length * WEIGHTS.symbol;
      case SURROGATE: return length * WEIGHTS.surrogate;
      default: return 0;
    }
  }

  #weightOfBreaks(): number {
    const first = this.#before === MARK ? WEIGHTS.lineBreakAfterMark : WEIGHTS.lineBreak;
    return first + Math.max(0, this.#length - 2) * WEIGHTS.furtherLineBreak;
  }

  #weightOfWord(): number {
    const letters = Math.min(this.#length, LONGEST_WORD);
    const capitals = this.#kind === UPPER ? this.#length : this.#capitals;
    return (WORD_TOKENS[letters] ?? 0)
      + (this.#length - letters) * WEIGHTS.letterBeyond
      + Math.max(0, capitals - 1) * WEIGHTS.furtherCapital
      + this.#accented * WEIGHTS.accentedLetter;
  }

  #weightOfMarks(next: number): number {
    const length = this.#length;
    if (length === 1) {
      if (this.#before === SPACE) return WEIGHTS.markAfterSpace;
      return next === LOWER || next === UPPER || next === NOTHING ? WEIGHTS.markBeforeWord : WEIGHTS.loneMark;
    }
    if (this.#sameMark && length > 3) return WEIGHTS.repeatedMarks + length * WEIGHTS.repeatedMark;
    return length === 2 ? WEIGHTS.twoMarks : WEIGHTS.marks + (length - 2) * WEIGHTS.furtherMark;
  }
}

function weightOfSpaces(length: number, next: number): number {
  const further = (length - 1) * WEIGHTS.furtherSpace;
  if (next === NOTHING || next === BREAK) return further;
  const indentation = length > 1 ? WEIGHTS.indentation + further : 0;
  return next === DIGIT ? indentation + WEIGHTS.spaceBeforeDigit : indentation;
}
