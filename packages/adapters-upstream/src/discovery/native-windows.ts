import { assertNever, type Clock, type JsonObject, type JsonValue } from '@tollgate/core';
import { readText } from '../http/failures.js';
import { unversionedUrl, type UpstreamConnection } from '../http/connection.js';
import { asNumber, asObject, asText, parseObject } from '../json-access.js';
import { openaiConnection } from '../openai/openai-provider.js';
import { anthropicConnection } from '../anthropic/anthropic-provider.js';
import type { AnthropicUpstream, OpenaiUpstream } from '../upstream-definition.js';

/** A model of a list, and whether the window that the list states is the one in force, rather than the model's own or none. */
export interface ListedModel {
  readonly id: string;
  readonly contextWindowTokens: number | null;
  readonly maxOutputTokens: number | null;
  readonly isWindowInForce: boolean;
}

/** In tokens, by the models' names. */
export type Windows = ReadonlyMap<string, number>;

const NOTHING: Windows = new Map();
/** For all questions together: a start waits for them. */
const PATIENCE_MILLISECONDS = 5_000;
const MOST_BYTES = 1024 * 1024;
const MOST_MODELS = 200;
const AT_ONCE = 4;
/** In the settings of a model that Ollama prints, a line for each. */
const NUM_CTX = /^num_ctx[ \t]+(\d{1,9})[ \t]*$/m;

/** A server's own API, beside the one that it shares with others: bounded in time and size. */
export class NativeServer {
  readonly #connection: UpstreamConnection;
  readonly #controller = new AbortController();
  readonly #stopTimer: () => void;

  constructor({ id, baseUrl, apiKey, options }: AskableUpstream, clock: Clock) {
    this.#connection = openaiConnection({ id, kind: 'openai', baseUrl: unversionedUrl(baseUrl), apiKey, options: { maxResponseBytes: MOST_BYTES, timeouts: options?.timeouts ?? {} } }, clock);
    this.#stopTimer = clock.schedule(PATIENCE_MILLISECONDS, () => this.#controller.abort());
  }

  /** The object that it answers with; `null` for whatever else happens. */
  async ask(endpoint: string, body: JsonObject | null): Promise<JsonObject | null> {
    const { signal } = this.#controller;
    try {
      const { call } = await this.#connection.ask({
        endpoint, body: body === null ? null : Buffer.from(JSON.stringify(body)), accept: 'application/json', patience: 1, signal, requestId: null,
      });
      return parseObject(await readText(call));
    } catch {
      // What the list says is all there is to know then.
      return null;
    }
  }

  close(): Promise<void> {
    this.#stopTimer();
    return this.#connection.close();
  }
}

/** The windows that only the server's own API tells: those of Ollama, and of a llama.cpp whose list states what its model was trained for. */
export async function nativeWindows(models: readonly ListedModel[], server: NativeServer): Promise<Windows> {
  if (models.length === 0) return NOTHING;
  if (models.every(isOfOllama)) return windowsOfOllama(models, server);
  const [only] = models;
  if (only === undefined || models.length > 1 || only.isWindowInForce || only.contextWindowTokens === null) return NOTHING;
  const settings = asObject((await server.ask('/props', null))?.['default_generation_settings']);
  const window = asTokenCount(settings?.['n_ctx']);
  return window === null ? NOTHING : new Map([[only.id, window]]);
}

/** Its names always have a tag, and its list states no limits. */
function isOfOllama({ id, contextWindowTokens }: ListedModel): boolean {
  return contextWindowTokens === null && id.includes(':');
}

/** A server that does not answer of the first model is not asked of the others. */
async function windowsOfOllama(models: readonly ListedModel[], server: NativeServer): Promise<Windows> {
  const windows = new Map<string, number>();
  const asked = models.slice(0, MOST_MODELS).values();
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

/** What Ollama is set to, else what the model was made for. */
function windowShown(shown: JsonObject): number | null {
  const set = NUM_CTX.exec(asText(shown['parameters']) ?? '')?.[1];
  if (set !== undefined) return asTokenCount(Number(set));
  const facts = asObject(shown['model_info']) ?? {};
  const name = Object.keys(facts).find((key) => key.endsWith('.context_length'));
  return name === undefined ? null : asTokenCount(facts[name]);
}

export function asTokenCount(value: JsonValue | undefined): number | null {
  const count = asNumber(value);
  return count !== null && Number.isSafeInteger(count) && count > 0 ? count : null;
}

/** An upstream that can be asked what it serves. */
export type AskableUpstream = OpenaiUpstream | AnthropicUpstream;

export function connectionTo(definition: AskableUpstream, clock: Clock): UpstreamConnection {
  switch (definition.kind) {
    case 'openai': return openaiConnection(definition, clock);
    case 'anthropic': return anthropicConnection(definition, clock);
    default: return assertNever(definition);
  }
}
