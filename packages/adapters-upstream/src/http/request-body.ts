import { isDeepStrictEqual } from 'node:util';
import { sentId } from './sendable-names.js';
import { type JsonPiece, type JsonPieces, JsonText, type Printable, printObjectInPieces } from '@tollgate/json-text';
import type { ContentBlock, JsonDocument, JsonObject, ParameterRule, ProviderCall, ServerOptions, SystemTurnStyle, TextBlock, Turn } from '@tollgate/core';

/** How the bytes travel. */
export type Transport = 'plain' | 'encrypted';

/** UTF-8. A `LargeBody` can be sent once. */
export type RequestBody = Uint8Array | LargeBody;

/** Larger bodies are released once sent; for smaller ones, that costs more than it saves. */
const LARGE_BYTES = 32 * 1024;

/** Create it before waiting: the text would be kept until the reply, and copied by every garbage collection. */
export function requestBody({ pieces }: JsonPieces, transport: Transport): RequestBody {
  const bytes = utf8Bytes(pieces);
  return bytes.byteLength < LARGE_BYTES ? bytes : new LargeBody(bytes, transport);
}

/** Small enough that the connection needs no drain. */
const LAST_BYTES = 1024;

/**
 * An iterable body, which undici does not keep. It keeps buffers until the end of the reply, and an agent's prompt is the largest part of
 * its request. Until the drain of a large piece, undici considers the request unsent, and closes the connection if the reply ends earlier.
 * TLS reports the drain one event loop turn late, so the last bytes are a separate piece there.
 */
export class LargeBody implements Iterable<Uint8Array> {
  readonly byteLength: number;
  #unsent: Uint8Array | null;

  constructor(bytes: Uint8Array, private readonly transport: Transport) {
    this.byteLength = bytes.byteLength;
    this.#unsent = bytes;
  }

  * [Symbol.iterator](): Iterator<Uint8Array> {
    const bytes = this.#unsent;
    this.#unsent = null;
    if (bytes === null) return;
    if (this.transport === 'plain') {
      yield bytes;
      return;
    }
    yield bytes.subarray(0, -LAST_BYTES);
    yield bytes.subarray(-LAST_BYTES);
  }
}

/** Longer than any character, so that a lack of room is noticed. */
const SPARE_BYTES = 4;

/** Encodes pieces of text; ASCII, as in nearly all requests, is not measured first. */
export function utf8Bytes(pieces: readonly JsonPiece[]): Uint8Array {
  let length = 0;
  for (const piece of pieces) length += piece.length;
  const bytes = Buffer.allocUnsafe(length + SPARE_BYTES);
  let at = 0;
  for (const piece of pieces) {
    if (typeof piece !== 'string') bytes.set(piece, at);
    else if (bytes.write(piece, at) !== piece.length) return Buffer.concat(pieces.map((each) => (typeof each === 'string' ? Buffer.from(each) : each)));
    at += piece.length;
  }
  return bytes.subarray(0, length);
}

/** Merges adjacent turns of one role, because some servers require alternating roles. Contents keep their order. */
export function mergeTurns(turns: readonly Turn[], systemTurns: SystemTurnStyle): readonly Turn[] {
  if (alternate(turns)) return turns;
  const runs: [Turn, ...Turn[]][] = [];
  for (const turn of turns) {
    const next = turn.role === 'system' && systemTurns === 'as-user' ? { role: 'user' as const, content: turn.content } : turn;
    const run = runs.at(-1);
    if (run !== undefined && next.role !== 'system' && run[0].role === next.role) run.push(next);
    else runs.push([next]);
  }
  return runs.map(joinTurns);
}

/** True if roles alternate without instructions between, so that there is nothing to merge. */
function alternate(turns: readonly Turn[]): boolean {
  return turns.every(({ role }, index) => role !== 'system' && role !== turns[index - 1]?.role);
}

/** Linear: there may be thousands of turns and blocks. */
function joinTurns(run: readonly [Turn, ...Turn[]]): Turn {
  const [first] = run;
  return run.length === 1 ? first : { role: first.role, content: run.flatMap(({ content }): readonly ContentBlock[] => content) } as Turn;
}

/** Separates blocks as paragraphs. */
export function joinTexts(blocks: readonly TextBlock[]): string {
  return blocks.length === 1 ? blocks[0]?.text ?? '' : blocks.map(({ text }) => text).filter((text) => text !== '').join('\n\n');
}

/** Vendors' limit. */
const MAX_CACHE_KEY_CHARACTERS = 64;

/** `prompt_cache_key`, if the catalogue allows it. */
export function sentCacheKey({ cacheKey }: ProviderCall['request'], { promptCacheKey }: { readonly promptCacheKey: 'sent' | 'omitted' }): string | undefined {
  return cacheKey === undefined || promptCacheKey === 'omitted' ? undefined : sentId(cacheKey, MAX_CACHE_KEY_CHARACTERS);
}

/** The client's user, if the catalogue allows it, cut to `limit` characters. */
export function sentAttribution({ attribution }: ProviderCall['request'], { options, limit }: { readonly options: Pick<ServerOptions, 'attribution'>; readonly limit: number }): string | undefined {
  return attribution === null || options.attribution === 'omitted' ? undefined : sentId(attribution, limit);
}

/** Verbatim, with `"type":"object"` prepended if missing, which servers require. */
export function objectSchema({ value, text }: JsonDocument): JsonText {
  if (value['type'] !== undefined) return new JsonText(text);
  return new JsonText(Object.keys(value).length === 0 ? '{"type":"object"}' : `{"type":"object",${text.slice(1)}`);
}

type BodyFields = Readonly<Record<string, Printable | JsonPieces | undefined>>;

export interface EncodedRequest extends Pick<JsonPieces, 'pieces'> {
  readonly fields: readonly string[];
  /** Parameters that are not sent, or sent with another value. */
  readonly omitted: readonly string[];
}

/** Adds the upstream's `extra_body` and applies the model's parameter rules. The gateway's fields win over the former, rules win over both. */
export function encodeBody(fields: BodyFields, { model, request }: Pick<ProviderCall, 'model' | 'request'>, extra: JsonObject | null): EncodedRequest {
  const sent: SentFields = new Map(Object.entries(extra ?? {}));
  for (const name in fields) if (fields[name] !== undefined) sent.set(name, fields[name]);
  const omitted = rulesFor(model, request).flatMap((rule) => applyRule(rule, sent));
  const { pieces } = printObjectInPieces(sent);
  return { pieces, fields: [...sent.keys()], omitted };
}

type SentFields = Map<string, Printable | JsonPieces | undefined>;

/** Returns the omitted and changed fields. */
function applyRule({ omit, fix }: ParameterRule, sent: SentFields): readonly string[] {
  const changed = Object.entries(fix).filter(([name, value]) => sent.has(name) && !isDeepStrictEqual(sent.get(name), value)).map(([name]) => name);
  const removed = omit.filter((name) => sent.delete(name));
  for (const [name, value] of Object.entries(fix)) sent.set(name, value);
  return [...removed, ...changed];
}

/** The more specific rule is last. */
export function rulesFor({ parameters }: ProviderCall['model'], { tools }: ProviderCall['request']): readonly ParameterRule[] {
  if (parameters === undefined) return [];
  return [parameters.always, tools.length > 0 ? parameters.withTools : parameters.withoutTools];
}

/** True if a rule omits or sets one of the fields. */
export function isRuled({ model, request }: Pick<ProviderCall, 'model' | 'request'>, names: readonly string[]): boolean {
  return rulesFor(model, request).some(({ omit, fix }) => names.some((name) => omit.includes(name) || Object.hasOwn(fix, name)));
}
