import type { Clock, JsonObject } from '@tollgate/core';
import { NO_ACCOUNT } from '../http/connection-places.js';
import { readText, type UpstreamConnection } from '../http/connection.js';
import { unversionedUrl } from '../http/server-url.js';
import { openaiConnection } from '../openai/openai-provider.js';
import { asObject, asText, parseObject } from '../reply/json-values.js';
import type { AskableUpstream } from './askable-upstream.js';
import { asTokenCount, type ListedModel } from './listed-model.js';

/** Context windows in tokens, by model name. */
type Windows = ReadonlyMap<string, number>;

const NOTHING: Windows = new Map();

export async function windowsAt(definition: AskableUpstream, listed: readonly ListedModel[], clock: Clock): Promise<Windows> {
  const server = new NativeServer(definition, clock);
  try {
    return await nativeWindows(listed, server);
  } finally {
    await server.close();
  }
}

/** Asks Ollama's native API for context windows, or llama.cpp's if the server lists one model and states only that model's maximum. */
async function nativeWindows(models: readonly ListedModel[], server: NativeServer): Promise<Windows> {
  if (models.length === 0) return NOTHING;
  if (models.every(isOfOllama)) return windowsOfOllama(models, server);
  const [only] = models;
  if (only === undefined || models.length > 1 || only.isWindowInForce || only.contextWindowTokens === null) return NOTHING;
  const settings = asObject((await server.ask('/props', null))?.['default_generation_settings']);
  const window = asTokenCount(settings?.['n_ctx']);
  return window === null ? NOTHING : new Map([[only.id, window]]);
}

/** True if the model may be Ollama's: its name has a tag, and the list states no context window. */
function isOfOllama({ id, contextWindowTokens }: ListedModel): boolean {
  return contextWindowTokens === null && id.includes(':');
}

const MAX_MODELS = 200;
const AT_ONCE = 4;

/** Asks for the windows of at most 200 models. If the first request fails, the others are not sent. */
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

/** Matches the context window in Ollama's parameters, which are one per line. */
const NUM_CTX = /^num_ctx[ \t]+(\d{1,9})[ \t]*$/m;

/** The configured context window, or else the model's own. */
function windowShown(shown: JsonObject): number | null {
  const set = NUM_CTX.exec(asText(shown['parameters']) ?? '')?.[1];
  if (set !== undefined) return asTokenCount(Number(set));
  const facts = asObject(shown['model_info']) ?? {};
  const name = Object.keys(facts).find((key) => key.endsWith('.context_length'));
  return name === undefined ? null : asTokenCount(facts[name]);
}

/** Timeout of all requests together, because the gateway's start waits for them. */
const TIMEOUT_MILLISECONDS = 5_000;
const MAX_BYTES = 1024 * 1024;

/** The native API of a server; requests are bounded in time and size. */
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
      // Not an error: without an answer, the models keep the context windows that the server's list of models states, if any.
      return null;
    }
  }

  close(): Promise<void> {
    this.#stopTimer();
    return this.#connection.close();
  }
}
