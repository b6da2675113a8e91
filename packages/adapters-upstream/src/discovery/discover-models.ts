import { assertNever, type Clock, type JsonObject } from '@tollgate/core';
import { anthropicConnection } from '../anthropic/anthropic-provider.js';
import { readText } from '../http/read-text.js';
import type { UpstreamConnection } from '../http/upstream-connection.js';
import { asList, asNumber, asObject, asText, parseObject } from '../json-access.js';
import { openaiConnection } from '../openai/openai-provider.js';
import type { AnthropicUpstream, OpenaiUpstream } from '../upstream-definition.js';
import { UpstreamFailure } from '../upstream-failure.js';

/** An upstream that can be asked what it serves. */
export type AskableUpstream = OpenaiUpstream | AnthropicUpstream;

/** A model that a server lists, with what it says of its limits; `null` where it says nothing. */
export interface DiscoveredModel {
  readonly id: string;
  readonly contextWindowTokens: number | null;
  readonly maxOutputTokens: number | null;
}

/** vLLM's name first, then those of Groq, OpenRouter, Mistral and LM Studio, and the messages format's. */
const CONTEXT_FIELDS = ['max_model_len', 'context_window', 'context_length', 'max_context_length', 'max_input_tokens'];
const OUTPUT_FIELDS = ['max_output_tokens', 'max_completion_tokens'];

/** Servers that speak the messages format list 20 models at a time unless asked for more. */
const ENDPOINTS: Readonly<Record<AskableUpstream['kind'], string>> = { openai: '/models', anthropic: '/models?limit=1000' };

/** Asks a server for its models, in its order. Throws `UpstreamFailure`. */
export async function discoverModels(definition: AskableUpstream, clock: Clock): Promise<readonly DiscoveredModel[]> {
  const connection = connectionTo(definition, clock);
  try {
    const { exchange } = await connection.ask({ endpoint: ENDPOINTS[definition.kind], body: null, accept: 'application/json', patience: 1, signal: null, requestId: null });
    const list = parseObject(await readText(exchange));
    if (list === null || !Array.isArray(list['data'])) throw new UpstreamFailure('malformed-reply', 'the upstream did not answer with a list of models');
    return asList(list['data']).flatMap((entry) => decodeModel(asObject(entry)) ?? []);
  } finally {
    await connection.close();
  }
}

function connectionTo(definition: AskableUpstream, clock: Clock): UpstreamConnection {
  switch (definition.kind) {
    case 'openai': return openaiConnection(definition, clock);
    case 'anthropic': return anthropicConnection(definition, clock);
    default: return assertNever(definition);
  }
}

function decodeModel(entry: JsonObject | null): DiscoveredModel | null {
  const id = asText(entry?.['id']);
  if (entry === null || id === null || id === '') return null;
  // llama.cpp keeps what it knows of the model in `meta`.
  const meta = asObject(entry['meta']) ?? {};
  return {
    id,
    contextWindowTokens: firstCount(entry, CONTEXT_FIELDS) ?? firstCount(meta, ['n_ctx', 'n_ctx_train']),
    maxOutputTokens: firstCount(entry, OUTPUT_FIELDS),
  };
}

function firstCount(entry: JsonObject, fields: readonly string[]): number | null {
  for (const field of fields) {
    const value = asNumber(entry[field]);
    if (value !== null && Number.isSafeInteger(value) && value > 0) return value;
  }
  return null;
}
