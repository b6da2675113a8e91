import type { Clock, JsonObject, JsonValue } from '@tollgate/core';
import { readText } from '../http/failures.js';
import { versionedUrl } from '../http/connection.js';
import { asList, asObject, asText, parseObject } from '../json-access.js';
import { asUpstreamFailure, UpstreamFailure, type UpstreamFailureReason } from '../upstream-failure.js';
import { type AskableUpstream, asTokenCount, connectionTo, type ListedModel, NativeServer, nativeWindows, type Windows } from './native-windows.js';

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

/** A server's list of models. */
export interface DiscoveredList {
  /** Where the list is, and so where calls go: the address that was asked, or the same with `/v1`. */
  readonly baseUrl: string;
  /** In the server's order. */
  readonly models: readonly DiscoveredModel[];
}

/** With these, the address is right, whatever its path. */
const NOT_ABOUT_THE_PATH: ReadonlySet<UpstreamFailureReason> = new Set(['connect-failed', 'timed-out', 'bad-credentials']);

/** Asks a server for its models, also at its address with `/v1` where there is no list without. Throws `UpstreamFailure`. */
export async function discoverModels(definition: AskableUpstream, clock: Clock): Promise<DiscoveredList> {
  const { baseUrl, entries } = await listEitherWay(definition, clock);
  const listed = entries.flatMap((entry) => decodeModel(asObject(entry)) ?? []);
  const windows = await windowsAt({ ...definition, baseUrl }, listed, clock);
  const models = listed.map(({ id, contextWindowTokens, maxOutputTokens }) => ({ id, contextWindowTokens: windows.get(id) ?? contextWindowTokens, maxOutputTokens }));
  return { baseUrl, models };
}

async function windowsAt(definition: AskableUpstream, listed: readonly ListedModel[], clock: Clock): Promise<Windows> {
  const server = new NativeServer(definition, clock);
  try {
    return await nativeWindows(listed, server);
  } finally {
    await server.close();
  }
}

interface List {
  readonly baseUrl: string;
  readonly entries: readonly JsonValue[];
}

async function listEitherWay(definition: AskableUpstream, clock: Clock): Promise<List> {
  const versioned = versionedUrl(definition.baseUrl);
  try {
    return { baseUrl: definition.baseUrl, entries: await listAt(definition, clock) };
  } catch (thrown) {
    const { reason } = asUpstreamFailure(thrown);
    if (definition.kind === 'anthropic' || versioned === new URL(definition.baseUrl).href || NOT_ABOUT_THE_PATH.has(reason)) throw thrown;
    return { baseUrl: versioned, entries: await listAt({ ...definition, baseUrl: versioned }, clock) };
  }
}

async function listAt(definition: AskableUpstream, clock: Clock): Promise<readonly JsonValue[]> {
  const connection = connectionTo(definition, clock);
  try {
    const { call } = await connection.ask({ endpoint: ENDPOINTS[definition.kind], body: null, accept: 'application/json', patience: 1, signal: null, requestId: null });
    const list = parseObject(await readText(call));
    if (list === null || !Array.isArray(list['data'])) throw new UpstreamFailure('malformed-reply', 'the upstream did not answer with a list of models');
    return asList(list['data']);
  } finally {
    await connection.close();
  }
}

function decodeModel(entry: JsonObject | null): ListedModel | null {
  const id = asText(entry?.['id']);
  if (entry === null || id === null || id === '') return null;
  // llama.cpp keeps what it knows of the model in `meta`.
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
