import { surveyJson } from './survey.js';

export interface JsonSize {
  /** Keys of all objects. */
  readonly keys: number;
  /** Items of all lists. */
  readonly items: number;
}

/** Maximum numbers of keys and items, and maximum depth of nested arrays and objects. */
interface JsonBounds extends JsonSize {
  readonly depth: number;
}

/**
 * Counts keys and items without parsing; `null` if a bound is exceeded. Stops where the text is too deep, or has more tokens than the bounds allow
 * together.
 */
export function measureJson(text: string, { keys, items, depth }: JsonBounds): JsonSize | null {
  const survey = surveyJson(text, { maximumDepth: depth, maximumTokens: 2 * keys + items + 1, watchedDepth: Infinity, searches: [], texts: null });
  return survey.withinDepth && survey.keys <= keys && survey.items <= items ? { keys: survey.keys, items: survey.items } : null;
}
