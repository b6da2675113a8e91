import type {
  AssistantBlock, CacheMark, Conversation, GenerationRequest, ImageSource, OutputSchema, Reasoning, SystemTurn, TextBlock, Tool, ToolChoice, Turn, UserBlock,
} from '@tollgate/core';
import {
  decodeDocument, decodeNumber, decodeObject, decodeOneOf, type Decoder, decodeString, decodeStringUpTo, type FieldPath, type Fields, invalidField, optional,
  required,
} from './decode-fields.js';
import { pairResults } from './pair-results.js';

/** Assumed where neither the client nor the bytes say. */
const DEFAULT_IMAGE_MEDIA_TYPE = 'image/jpeg';

/** Names that clients use for registered types of images, which vendors refuse. */
const REGISTERED_TYPES: ReadonlyMap<string, string> = new Map([
  ['image/jpg', 'image/jpeg'], ['image/pjpeg', 'image/jpeg'], ['image/x-jpeg', 'image/jpeg'], ['image/x-jpg', 'image/jpeg'],
  ['image/x-png', 'image/png'], ['image/apng', 'image/png'], ['image/x-gif', 'image/gif'], ['image/x-webp', 'image/webp'],
]);

/** The registered name of a media type, in lower case and without parameters. */
export function registeredType(mediaType: string): string {
  const name = (mediaType.split(';')[0] ?? '').trim().toLowerCase();
  return REGISTERED_TYPES.get(name) ?? name;
}

/** How the types of images that vendors read begin, as base64. */
const SIGNATURES: readonly (readonly [beginning: RegExp, mediaType: string])[] = [
  [/^iVBORw0KGgo/, 'image/png'], [/^[/_]9j[/_]/, 'image/jpeg'], [/^R0lGOD/, 'image/gif'], [/^UklGR.{6}XRUJQ/, 'image/webp'],
];

/** An image by its bytes, under the type that they have: vendors refuse a wrong one, and clients often do not know it. Where the bytes do not say, the client's own, by its registered name. */
export function imageOf(mediaType: string | null, data: string): ImageSource {
  const seen = SIGNATURES.find(([beginning]) => beginning.test(data))?.[1];
  return { kind: 'base64', mediaType: seen ?? (mediaType === null || mediaType === '' ? DEFAULT_IMAGE_MEDIA_TYPE : registeredType(mediaType)), data };
}

const DATA_SCHEME = /^data:/i;
const WEB_SCHEME = /^https?:\/\/./i;
const NOT_BASE64 = /[^A-Za-z0-9+/=_\-\s]/;

/** The bytes of an image as base64 text; it is checked for foreign characters and passed on as it came. */
export const decodeBase64: Decoder<string> = (value, within, key) => {
  const data = decodeString(value, within, key);
  if (data === '' || NOT_BASE64.test(data)) throw invalidField(within, key, 'must hold base64 data');
  return data;
};

/** An image's URL: `http`, `https`, or a `data:` URL, which becomes its bytes. Never fetched. */
export const decodeImageUrl: Decoder<ImageSource> = (value, within, key) => {
  const url = decodeString(value, within, key);
  if (WEB_SCHEME.test(url)) return { kind: 'url', url };
  if (!DATA_SCHEME.test(url)) throw invalidField(within, key, 'must be an http, https or data URL');
  const comma = url.indexOf(',');
  const header = comma < 0 ? '' : url.slice('data:'.length, comma);
  const [mediaType = '', ...parameters] = header.split(';').map((part) => part.trim());
  if (parameters.at(-1)?.toLowerCase() !== 'base64') throw invalidField(within, key, 'must be a base64 data URL');
  return imageOf(mediaType, decodeBase64(url.slice(comma + 1), within, key));
};

const MAX_TTL_CHARACTERS = 16;

/** What a client wants cached, on a part of its request; absent for a mark that says nothing. */
export function cacheMarkIn({ values: { cache_control: mark } }: Fields): { readonly cacheMark?: CacheMark } {
  if (typeof mark !== 'object' || mark === null || !('type' in mark) || mark.type !== 'ephemeral') return {};
  return { cacheMark: { ttl: 'ttl' in mark && typeof mark.ttl === 'string' ? mark.ttl.slice(0, MAX_TTL_CHARACTERS) : null } };
}

/** A block with its mark; the same one where its fields have none. */
export function withCacheMark<Block extends object>(block: Block, fields: Fields): Block {
  const { cacheMark } = cacheMarkIn(fields);
  return cacheMark === undefined ? block : { ...block, cacheMark };
}

const MAX_CACHE_KEY_CHARACTERS = 1_024;

/** `prompt_cache_key`, which names what the client's requests have in common. */
export const decodeCacheKey: Decoder<string> = decodeStringUpTo(MAX_CACHE_KEY_CHARACTERS);

/** The efforts of the wire and the three that models tell apart. */
const EFFORTS: ReadonlyMap<string, Reasoning> = new Map<string, Reasoning>([
  ['none', 'off'], ['minimal', 'low'], ['low', 'low'],
  ['medium', 'high'], ['high', 'high'], ['xhigh', 'high'], ['max', 'max'],
]);
const THINKING_TYPES: ReadonlyMap<string, 'on' | 'off'> = new Map([['enabled', 'on'], ['adaptive', 'on'], ['disabled', 'off']]);

export const decodeEffort: Decoder<Reasoning> = decodeOneOf(EFFORTS);

/** What an effort means; `null` for a word that is none. */
export function effortOf(word: string): Reasoning | null {
  return EFFORTS.get(word) ?? null;
}

const decodeThinkingType = decodeOneOf(THINKING_TYPES);

/** The `thinking` object of the chat and messages formats. Its budget is checked and left out: the model's own limits apply. */
export const decodeThinking: Decoder<'on' | 'off'> = (value, within, key) => {
  const fields = decodeObject(value, within, key);
  optional(fields, 'budget_tokens', decodeNumber);
  return required(fields, 'type', decodeThinkingType);
};

/** What `thinking` and an effort ask for together: switched off wins, then the effort says how much. */
export function reasoningOf(thinking: 'on' | 'off' | null, effort: Reasoning | null): Reasoning {
  if (thinking === 'off') return 'off';
  return effort ?? thinking ?? 'model-default';
}

/** What a request says of the form of its reply. */
export type ReplyFormat = Pick<GenerationRequest, 'responseFormat' | 'outputSchema'>;

export const PLAIN_REPLY: ReplyFormat = { responseFormat: 'text', outputSchema: null };

const decodeFormatType = decodeOneOf(new Map([['text', 'text'], ['json_object', 'json_object'], ['json_schema', 'json_schema']]));

/** The chat format keeps a schema and its name in `json_schema`, the messages format keeps the schema beside `type`. */
export const decodeReplyFormat: Decoder<ReplyFormat> = (value, within, key) => {
  const format = decodeObject(value, within, key);
  const type = required(format, 'type', decodeFormatType);
  if (type === 'text') return PLAIN_REPLY;
  return { responseFormat: 'json', outputSchema: type === 'json_schema' ? schemaIn(objectIn(format, 'json_schema') ?? format) : null };
};

/** A schema is not enforced by the gateway, so one that cannot be read is left out rather than refused. */
function schemaIn(format: Fields): OutputSchema | null {
  const schema = objectIn(format, 'schema');
  if (schema === null) return null;
  const { name, description, strict } = format.values;
  return {
    name: typeof name === 'string' && name !== '' ? name : null,
    description: typeof description === 'string' ? description : null,
    strict: typeof strict === 'boolean' ? strict : null,
    schema: decodeDocument(schema.values, format.place, 'schema'),
  };
}

function objectIn({ values, place }: Fields, name: string): Fields | null {
  const value = values[name];
  return typeof value === 'object' && value !== null && !Array.isArray(value) ? optional({ values, place }, name, decodeObject) : null;
}

/** Refuses a turn in which two tool calls, or two results, have the same id: calls and results could not be matched. */
export function checkToolIds(blocks: readonly (AssistantBlock | UserBlock)[], list: FieldPath): void {
  if (blocks.length < 2) return;
  const seen = new Set<string>();
  for (const block of blocks) {
    const id = block.type === 'tool-call' ? block.id : block.type === 'tool-result' ? block.toolCallId : null;
    if (id === null) continue;
    if (seen.has(id)) throw invalidField(list.within, list.key, `uses the tool call id ${JSON.stringify(id)} twice`);
    seen.add(id);
  }
}

/** What refusals say where a request demands a tool that no model here can call. */
export const NO_SERVER_TOOLS = 'server tools, which a vendor runs on its own servers, are not offered';

/** The tools that a choice leaves; refused if it names one that is not among them. */
export function allowedTools(tools: readonly Tool[], allowed: readonly string[]): readonly Tool[] {
  const names = new Set(allowed);
  const rest = tools.filter(({ name }) => names.delete(name));
  const [missing] = names;
  if (missing !== undefined) throw invalidField(null, 'tool_choice', `allows a tool that is not in 'tools': ${JSON.stringify(missing)}`);
  return rest;
}

/**
 * Holds a choice against the tools it chooses from, under the field name that all formats share.
 * Without tools, `auto` and `none` say nothing and become `null`; what demands a call is refused.
 * `hasServerTools`: the request has others that were left out.
 */
export function checkToolChoice(choice: ToolChoice | null, tools: readonly Tool[], hasServerTools = false): ToolChoice | null {
  const reason = hasServerTools ? `; ${NO_SERVER_TOOLS}` : '';
  if (choice === null) return null;
  if (choice.kind === 'tool') {
    if (!tools.some((tool) => tool.name === choice.name)) {
      throw invalidField(null, 'tool_choice', `names a tool that is not in 'tools': ${JSON.stringify(choice.name)}${reason}`);
    }
    return choice;
  }
  if (tools.length > 0) return choice;
  if (choice.kind === 'any') throw invalidField(null, 'tool_choice', hasServerTools ? `demands a tool call, but 'tools' has no other tools; ${NO_SERVER_TOOLS}` : `demands a tool call, but 'tools' has none`);
  return null;
}

function isSystemTurn(turn: Turn): turn is SystemTurn {
  return turn.role === 'system';
}

/**
 * Puts the instructions ahead of the first other turn into `system`; later ones stay in their place. Every call has its result.
 * A conversation of nothing but instructions keeps them as its turns, so that it has something to answer.
 */
export function arrangeTurns(system: readonly TextBlock[], messages: readonly Turn[]): Conversation {
  const first = messages.findIndex((turn) => !isSystemTurn(turn));
  if (first <= 0) return { system, turns: pairResults(messages) };
  const leading = messages.slice(0, first).filter(isSystemTurn).flatMap((turn) => turn.content);
  return { system: [...system, ...leading], turns: pairResults(messages.slice(first)) };
}
