import type { JsonObject, JsonValue } from '@tollgate/core';
import { asNumber, asObject, asText } from '../reply/json-values.js';

/** A model of a server's list. `isWindowInForce`: the window is the configured one, not the model's maximum. */
export interface ListedModel {
  readonly id: string;
  readonly contextWindowTokens: number | null;
  readonly maxOutputTokens: number | null;
  readonly isWindowInForce: boolean;
}

/** Fields with the context window: of vLLM; of Groq, OpenRouter, Mistral and LM Studio; of the messages format. */
const CONTEXT_FIELDS = ['max_model_len', 'context_window', 'context_length', 'max_context_length', 'max_input_tokens'];
const OUTPUT_FIELDS = ['max_output_tokens', 'max_completion_tokens'];

export function decodeModel(entry: JsonObject | null): ListedModel | null {
  const id = asText(entry?.['id']);
  if (entry === null || id === null || id === '') return null;
  // llama.cpp states properties of the model in `meta`.
  const meta = asObject(entry['meta']) ?? {};
  const inForce = firstCount(entry, CONTEXT_FIELDS) ?? firstCount(meta, ['n_ctx']);
  const trained = firstCount(meta, ['n_ctx_train']);
  return {
    id,
    contextWindowTokens: inForce ?? trained,
    isWindowInForce: inForce !== null,
    maxOutputTokens: firstCount(entry, OUTPUT_FIELDS),
  };
}

function firstCount(entry: JsonObject, fields: readonly string[]): number | null {
  for (const field of fields) {
    const count = asTokenCount(entry[field]);
    if (count !== null) return count;
  }
  return null;
}

export function asTokenCount(value: JsonValue | undefined): number | null {
  const count = asNumber(value);
  return count !== null && Number.isSafeInteger(count) && count > 0 ? count : null;
}
