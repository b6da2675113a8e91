import { surveyJson } from './survey.js';

/** The parts of a JSON text: parsed, they take many times the memory of the text. */
export interface JsonSize {
  /** Keys of all objects. */
  readonly keys: number;
  /** Items of all lists. */
  readonly items: number;
}

/** Bounds of a text's parts, and of the arrays and objects within each other. */
interface JsonBounds extends JsonSize {
  readonly depth: number;
}

/** Counts the parts of a JSON text without parsing it; `null` where they exceed a bound. Reads no further than the first part beyond all bounds. */
export function measureJson(text: string, { keys, items, depth }: JsonBounds): JsonSize | null {
  const survey = surveyJson(text, { maximumDepth: depth, maximumTokens: 2 * keys + items + 1, watchedDepth: Infinity, searches: [], items: [], texts: null });
  return survey.withinDepth && survey.keys <= keys && survey.items <= items ? { keys: survey.keys, items: survey.items } : null;
}
