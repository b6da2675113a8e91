import {
  CLOSE_BRACE, CLOSE_BRACKET, endOfNumber, endOfString, isDigit, isKeyThatMoves, isPrintedAsWritten, MINUS, OPEN_BRACE, OPEN_BRACKET, QUOTE,
} from './json-tokens.js';

/** What to look for in a text. */
export interface SurveyTerms {
  /** Arrays and objects within each other. */
  readonly maximumDepth: number;
  /** Numbers and keys are looked at from this depth on; those above are somebody else's concern. */
  readonly watchedDepth: number;
}

export type JsonSurvey =
  | { readonly withinDepth: false }
  /** `printsTheSame`: parsing the text and printing the result changes no number and no order of keys. */
  | { readonly withinDepth: true; readonly printsTheSame: boolean };

class Survey {
  printsTheSame = true;
  #depth = 0;

  constructor(private readonly text: string, private readonly terms: SurveyTerms) {}

  /** Whether the text keeps to the maximum depth. */
  run(): boolean {
    const { text } = this;
    for (let at = 0; at < text.length; at += 1) {
      const code = text.charCodeAt(at);
      if (code === QUOTE) at = this.#readString(at);
      else if (code === OPEN_BRACE || code === OPEN_BRACKET) this.#depth += 1;
      else if (code === CLOSE_BRACE || code === CLOSE_BRACKET) this.#depth -= 1;
      else if (isDigit(code) || code === MINUS) at = this.#readNumber(at);
      if (this.#depth > this.terms.maximumDepth) return false;
    }
    return true;
  }

  get #isWatching(): boolean {
    return this.printsTheSame && this.#depth >= this.terms.watchedDepth;
  }

  #readString(opening: number): number {
    const closing = endOfString(this.text, opening);
    if (this.#isWatching && isKeyThatMoves(this.text, opening, closing)) this.printsTheSame = false;
    return closing;
  }

  #readNumber(start: number): number {
    const end = endOfNumber(this.text, start);
    if (this.#isWatching && !isPrintedAsWritten(this.text.slice(start, end))) this.printsTheSame = false;
    return end - 1;
  }
}

/** Looks through JSON text in one pass, without parsing it, whether it is sound or not. `JSON.parse` takes any depth; what walks its result does not. */
export function surveyJson(text: string, terms: SurveyTerms): JsonSurvey {
  const survey = new Survey(text, terms);
  return survey.run() ? { withinDepth: true, printsTheSame: survey.printsTheSame } : { withinDepth: false };
}
