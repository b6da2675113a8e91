import type { JsonObject, JsonValue } from '@tollgate/core';
import { asList, asObject, asText } from '../reply/json-values.js';

export interface ContentPiece {
  readonly type: 'thinking' | 'text' | 'refusal';
  readonly text: string;
}

function textOf(value: JsonValue | undefined): string {
  return asText(value) ?? asText(asObject(value)?.['text']) ?? '';
}

/** A text, the `text` of an object, or the joined texts of a list of both; empty for anything else, such as nested lists. */
export function textIn(value: JsonValue | undefined): string {
  return Array.isArray(value) ? value.map((part) => textOf(part)).join('') : textOf(value);
}

/** The pieces of a content list, in order. Mistral and Databricks put reasoning there. */
export function piecesOf(content: JsonValue | undefined): readonly ContentPiece[] {
  return asList(content).map((part) => pieceOf(asObject(part) ?? {}));
}

function pieceOf(part: JsonObject): ContentPiece {
  switch (asText(part['type']) ?? '') {
    case 'thinking': return { type: 'thinking', text: textIn(part['thinking']) };
    case 'reasoning': return { type: 'thinking', text: textIn(part['summary']) };
    case 'refusal': return { type: 'refusal', text: textIn(part['refusal']) };
    default: return { type: 'text', text: textIn(part) };
  }
}
