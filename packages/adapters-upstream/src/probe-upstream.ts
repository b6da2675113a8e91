import {
  type AnthropicUpstream, assertNever, type Clock, type DiscoveredList, type IdGenerator, type JsonObject, type JsonValue,
  type Model, type OpenaiUpstream, type RequestId, type ResponsesUpstream, type UpstreamDefinition, type UpstreamTarget,
} from '@tollgate/core';
import { readText, unversionedUrl, type UpstreamConnection, versionedUrl } from './http/connection.js';
import { asList, asNumber, asObject, asText, parseObject } from './reply/json-values.js';
import { openaiConnection } from './openai/openai-provider.js';
import { anthropicConnection } from './anthropic/anthropic-provider.js';
import { responsesConnection } from './responses/responses-provider.js';
import { asUpstreamFailure, UpstreamFailure, type UpstreamFailureReason } from './upstream/upstream-failure.js';
import { saidByUpstream, secretsOf } from './reply/error-replies.js';
import { NO_ACCOUNT } from './http/connection-places.js';
import { contentFreeCall } from './http/content-free-call.js';
import { UpstreamRouter } from './routing/upstream-router.js';

/** An upstream with a list of models. */
export type AskableUpstream = OpenaiUpstream | AnthropicUpstream | ResponsesUpstream;

/** Repeats the request with `/v1` if there is no list without. Throws `UpstreamFailure`. */
export async function discoverModels(definition: AskableUpstream, clock: Clock): Promise<DiscoveredList> {
  const { baseUrl, entries } = await listEitherWay(definition, clock);
  const listed = entries.flatMap((entry) => decodeModel(asObject(entry)) ?? []);
  const windows = await windowsAt({ ...definition, baseUrl }, listed, clock);
  const models = listed.map(({ id, contextWindowTokens, maxOutputTokens }) => ({ id, contextWindowTokens: windows.get(id) ?? contextWindowTokens, maxOutputTokens }));
  return { baseUrl, models };
}

interface List {
  readonly baseUrl: string;
  readonly entries: readonly JsonValue[];
}

/** For these failures, the path is not the reason. */
const NOT_ABOUT_THE_PATH: ReadonlySet<UpstreamFailureReason> = new Set(['connect-failed', 'hung-up', 'timed-out', 'bad-credentials']);

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

/** Servers of the messages format list 20 models by default. */
const ENDPOINTS: Readonly<Record<AskableUpstream['kind'], string>> = { openai: '/models', anthropic: '/models?limit=1000', responses: '/models' };

async function listAt(definition: AskableUpstream, clock: Clock): Promise<readonly JsonValue[]> {
  const connection = connectionTo(definition, clock);
  try {
    const { call } = await connection.ask({ endpoint: ENDPOINTS[definition.kind], body: null, accept: 'application/json', firstByteFactor: 1, accountId: NO_ACCOUNT, signal: null, requestId: null });
    const list = parseObject(await readText(call));
    if (list === null || !Array.isArray(list['data'])) throw new UpstreamFailure('malformed-reply', 'the upstream did not answer with a list of models');
    return asList(list['data']);
  } finally {
    await connection.close();
  }
}

function connectionTo(definition: AskableUpstream, clock: Clock): UpstreamConnection {
  switch (definition.kind) {
    case 'openai': return openaiConnection(definition, { clock });
    case 'anthropic': return anthropicConnection(definition, { clock });
    case 'responses': return responsesConnection(definition, { clock });
    default: return assertNever(definition);
  }
}

/** `isWindowInForce`: the listed window is the configured one, not the model's maximum. */
interface ListedModel {
  readonly id: string;
  readonly contextWindowTokens: number | null;
  readonly maxOutputTokens: number | null;
  readonly isWindowInForce: boolean;
}

/** Of vLLM; then Groq, OpenRouter, Mistral, LM Studio; then the messages format. */
const CONTEXT_FIELDS = ['max_model_len', 'context_window', 'context_length', 'max_context_length', 'max_input_tokens'];
const OUTPUT_FIELDS = ['max_output_tokens', 'max_completion_tokens'];

function decodeModel(entry: JsonObject | null): ListedModel | null {
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

function asTokenCount(value: JsonValue | undefined): number | null {
  const count = asNumber(value);
  return count !== null && Number.isSafeInteger(count) && count > 0 ? count : null;
}

/** In tokens, by model name. */
type Windows = ReadonlyMap<string, number>;

const NOTHING: Windows = new Map();

async function windowsAt(definition: AskableUpstream, listed: readonly ListedModel[], clock: Clock): Promise<Windows> {
  const server = new NativeServer(definition, clock);
  try {
    return await nativeWindows(listed, server);
  } finally {
    await server.close();
  }
}

/** Context windows from native APIs: of Ollama, and of a llama.cpp whose list has the model's maximum. */
async function nativeWindows(models: readonly ListedModel[], server: NativeServer): Promise<Windows> {
  if (models.length === 0) return NOTHING;
  if (models.every(isOfOllama)) return windowsOfOllama(models, server);
  const [only] = models;
  if (only === undefined || models.length > 1 || only.isWindowInForce || only.contextWindowTokens === null) return NOTHING;
  const settings = asObject((await server.ask('/props', null))?.['default_generation_settings']);
  const window = asTokenCount(settings?.['n_ctx']);
  return window === null ? NOTHING : new Map([[only.id, window]]);
}

/** Its names have tags, and its list has no limits. */
function isOfOllama({ id, contextWindowTokens }: ListedModel): boolean {
  return contextWindowTokens === null && id.includes(':');
}

const MAX_MODELS = 200;
const AT_ONCE = 4;

/** If the first request fails, the others are not sent. */
async function windowsOfOllama(models: readonly ListedModel[], server: NativeServer): Promise<Windows> {
  const windows = new Map<string, number>();
  const asked = models.slice(0, MAX_MODELS).values();
  const askNext = async (): Promise<boolean> => {
    const next = asked.next();
    if (next.done === true) return false;
    const { id } = next.value;
    const shown = await server.ask('/api/show', { model: id });
    const window = shown === null ? null : windowShown(shown);
    if (window !== null) windows.set(id, window);
    return shown !== null;
  };
  const askOn = async (): Promise<void> => {
    while (await askNext());
  };
  if (await askNext()) await Promise.all(Array.from({ length: AT_ONCE }, askOn));
  return windows;
}

/** In Ollama's parameters, one per line. */
const NUM_CTX = /^num_ctx[ \t]+(\d{1,9})[ \t]*$/m;

/** The configured window, otherwise the model's. */
function windowShown(shown: JsonObject): number | null {
  const set = NUM_CTX.exec(asText(shown['parameters']) ?? '')?.[1];
  if (set !== undefined) return asTokenCount(Number(set));
  const facts = asObject(shown['model_info']) ?? {};
  const name = Object.keys(facts).find((key) => key.endsWith('.context_length'));
  return name === undefined ? null : asTokenCount(facts[name]);
}

/** For all questions: the start waits for them. */
const TIMEOUT_MILLISECONDS = 5_000;
const MAX_BYTES = 1024 * 1024;

/** A server's native API, bounded in time and size. */
class NativeServer {
  readonly #connection: UpstreamConnection;
  readonly #controller = new AbortController();
  readonly #stopTimer: () => void;

  constructor({ id, baseUrl, apiKey, options }: AskableUpstream, clock: Clock) {
    this.#connection = openaiConnection({ id, kind: 'openai', baseUrl: unversionedUrl(baseUrl), apiKey, options: { maxResponseBytes: MAX_BYTES, timeouts: options?.timeouts ?? {} } }, { clock });
    this.#stopTimer = clock.schedule(TIMEOUT_MILLISECONDS, () => this.#controller.abort());
  }

  /** The reply's object; `null` on any failure. */
  async ask(endpoint: string, body: JsonObject | null): Promise<JsonObject | null> {
    const { signal } = this.#controller;
    try {
      const { call } = await this.#connection.ask({
        endpoint, body: body === null ? null : Buffer.from(JSON.stringify(body)), accept: 'application/json', firstByteFactor: 1, accountId: NO_ACCOUNT, signal, requestId: null,
      });
      return parseObject(await readText(call));
    } catch {
      // Then only the list's properties are known.
      return null;
    }
  }

  close(): Promise<void> {
    this.#stopTimer();
    return this.#connection.close();
  }
}

/** Safe to print. */
export interface TrialFailure {
  readonly reason: UpstreamFailureReason;
  /** With the upstream's words: one line without secrets. */
  readonly message: string;
}

export function trialFailure(thrown: unknown, definition: UpstreamDefinition): TrialFailure {
  const failure = asUpstreamFailure(thrown);
  const said = saidByUpstream(failure, secretsOf(definition));
  return { reason: failure.reason, message: said === null ? failure.message : `${failure.message}: ${said}` };
}

export interface TriedModel {
  readonly model: Model;
  readonly target: UpstreamTarget;
}

export type ModelTrial =
  | { readonly outcome: 'answered'; readonly milliseconds: number }
  | { readonly outcome: 'failed'; readonly failure: TrialFailure };

export interface TrialPorts {
  readonly clock: Clock;
  readonly ids: Pick<IdGenerator, 'responseId'>;
}

/** Sends the smallest request, one word for one token, and reads the reply to its end. */
export async function tryModel(definition: UpstreamDefinition, { model, target }: TriedModel, ports: TrialPorts): Promise<ModelTrial> {
  const router = new UpstreamRouter([definition], ports);
  const requestId = ports.ids.responseId('trial_') as RequestId;
  const begun = ports.clock.now();
  try {
    const stream = await router.open(contentFreeCall({ model, target }, { requestId, signal: new AbortController().signal }));
    for (let batch = await stream.next(); batch.done !== true;) batch = await stream.next();
    return { outcome: 'answered', milliseconds: ports.clock.now() - begun };
  } catch (thrown) {
    return { outcome: 'failed', failure: trialFailure(thrown, definition) };
  } finally {
    await router.close();
  }
}
