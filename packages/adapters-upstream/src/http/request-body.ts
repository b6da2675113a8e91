import { isDeepStrictEqual } from 'node:util';
import { sentId } from './sendable-names.js';
import { type JsonPiece, type JsonPieces, JsonText, type Printable, printObjectInPieces } from '@tollgate/json-text';
import type { ContentBlock, JsonDocument, JsonObject, ParameterRule, ProviderCall, ServerOptions, SystemTurnStyle, TextBlock, Turn } from '@tollgate/core';

/** How the bytes travel. */
export type Transport = 'plain' | 'encrypted';

/** What is sent to an upstream, in UTF-8. One that is large can be sent once. */
export type RequestBody = Uint8Array | LargeBody;

/** From this many bytes on, a body is released as soon as it is sent; for smaller ones, releasing costs more than it saves. */
const LARGE_BYTES = 32 * 1024;

/** The text as a body. Create it before waiting: a text would be kept for as long as an upstream takes, and copied by every collection of garbage. */
export function requestBody({ pieces }: JsonPieces, transport: Transport): RequestBody {
  const bytes = utf8Bytes(pieces);
  return bytes.byteLength < LARGE_BYTES ? bytes : new LargeBody(bytes, transport);
}

/** So few that no connection has to be drained before it takes more. */
const LAST_BYTES = 1024;

/**
 * A body that undici reads once and knows no longer than that. Bytes that it is handed it keeps for as long as the reply goes on, which
 * may be minutes, and an agent's prompt is the largest part of what its request takes.
 *
 * Until a connection is drained of a large piece, undici takes the request as not sent, and closes the connection when the reply is
 * over by then. One that encrypts says so a turn of the event loop late, when a quick reply is over: there, the last bytes come apart.
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

/** More than any character takes, so that one for which there is no room is noticed. */
const SPARE_BYTES = 4;

/** The pieces of a text, one after the other in UTF-8. Characters of ASCII alone, as nearly all requests are, are not measured before they are written. */
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

/** Makes one turn of neighbours of the same role, since some servers take only turns that alternate. Contents keep their order. */
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

/** Whether user and model take turns, without instructions between: then nothing is to be merged. */
function alternate(turns: readonly Turn[]): boolean {
  return turns.every(({ role }, index) => role !== 'system' && role !== turns[index - 1]?.role);
}

/** One turn of turns of the same role, each block taken once: there may be thousands of both. */
function joinTurns(run: readonly [Turn, ...Turn[]]): Turn {
  const [first] = run;
  return run.length === 1 ? first : { role: first.role, content: run.flatMap(({ content }): readonly ContentBlock[] => content) } as Turn;
}

/** Blocks of one message are paragraphs of it. */
export function joinTexts(blocks: readonly TextBlock[]): string {
  return blocks.length === 1 ? blocks[0]?.text ?? '' : blocks.map(({ text }) => text).filter((text) => text !== '').join('\n\n');
}

/** Characters of a key that vendors accept. */
const MAX_CACHE_KEY_CHARACTERS = 64;

/** `prompt_cache_key`, where an operator allows it. */
export function sentCacheKey({ cacheKey }: ProviderCall['request'], { promptCacheKey }: { readonly promptCacheKey: 'sent' | 'omitted' }): string | undefined {
  return cacheKey === undefined || promptCacheKey === 'omitted' ? undefined : sentId(cacheKey, MAX_CACHE_KEY_CHARACTERS);
}

/** The client's name for its user, where an operator allows it, of at most `limit` characters. */
export function sentAttribution({ attribution }: ProviderCall['request'], { options, limit }: { readonly options: Pick<ServerOptions, 'attribution'>; readonly limit: number }): string | undefined {
  return attribution === null || options.attribution === 'omitted' ? undefined : sentId(attribution, limit);
}

/** A tool's schema as it was written. Servers want to read that it is an object's, so that is said in front where it is not said. */
export function objectSchema({ value, text }: JsonDocument): JsonText {
  if (value['type'] !== undefined) return new JsonText(text);
  return new JsonText(Object.keys(value).length === 0 ? '{"type":"object"}' : `{"type":"object",${text.slice(1)}`);
}

type BodyFields = Readonly<Record<string, Printable | JsonPieces | undefined>>;

/** A request as it is sent, and what an operator's rules took out of it. */
export interface EncodedRequest extends Pick<JsonPieces, 'pieces'> {
  /** The names of its fields. */
  readonly fields: readonly string[];
  /** Parameters of the request that are not sent, or with another value. */
  readonly omitted: readonly string[];
}

/** Adds an operator's own fields to a request, and applies the rules for its model. A field that the gateway writes wins over the former, the latter over both. */
export function encodeBody(fields: BodyFields, { model, request }: Pick<ProviderCall, 'model' | 'request'>, extra: JsonObject | null): EncodedRequest {
  const sent: SentFields = new Map(Object.entries(extra ?? {}));
  for (const name in fields) if (fields[name] !== undefined) sent.set(name, fields[name]);
  const omitted = rulesFor(model, request).flatMap((rule) => applyRule(rule, sent));
  const { pieces } = printObjectInPieces(sent);
  return { pieces, fields: [...sent.keys()], omitted };
}

type SentFields = Map<string, Printable | JsonPieces | undefined>;

/** Applies a rule to the fields, and tells which of them are not sent as they were. */
function applyRule({ omit, fix }: ParameterRule, sent: SentFields): readonly string[] {
  const changed = Object.entries(fix).filter(([name, value]) => sent.has(name) && !isDeepStrictEqual(sent.get(name), value)).map(([name]) => name);
  const removed = omit.filter((name) => sent.delete(name));
  for (const [name, value] of Object.entries(fix)) sent.set(name, value);
  return [...removed, ...changed];
}

/** The rules that apply to a request, the more special one last. */
export function rulesFor({ parameters }: ProviderCall['model'], { tools }: ProviderCall['request']): readonly ParameterRule[] {
  if (parameters === undefined) return [];
  return [parameters.always, tools.length > 0 ? parameters.withTools : parameters.withoutTools];
}

/** Whether a rule leaves out a field, or sets it. */
export function isRuled({ model, request }: Pick<ProviderCall, 'model' | 'request'>, names: readonly string[]): boolean {
  return rulesFor(model, request).some(({ omit, fix }) => names.some((name) => omit.includes(name) || Object.hasOwn(fix, name)));
}
