import {
  type AssistantBlock, type CacheMark, type Conversation, type GenerationRequest, type ImageSource, type OutputSchema, type Reasoning, type TextBlock, tokenCount, type TokenCount,
  type Tool, type ToolChoice, type Turn, type UserBlock,
} from '@tollgate/core';
import {
  decodeDocument, decodeIntegerFrom, decodeNumber, decodeObject, decodeOneOf, type Decoder, decodeString, decodeStringUpTo, type FieldPath, type Fields, invalidField, optional,
  required,
} from './decode-fields.js';
import { pairResults } from './pair-results.js';

/** The media type of an image if neither the client nor the bytes determine it. */
const DEFAULT_IMAGE_MEDIA_TYPE = 'image/jpeg';

/** Registered image types, by the names that clients use instead and vendors refuse. */
const REGISTERED_TYPES: ReadonlyMap<string, string> = new Map([
  ['image/jpg', 'image/jpeg'], ['image/pjpeg', 'image/jpeg'], ['image/x-jpeg', 'image/jpeg'], ['image/x-jpg', 'image/jpeg'],
  ['image/x-png', 'image/png'], ['image/apng', 'image/png'], ['image/x-gif', 'image/gif'], ['image/x-webp', 'image/webp'],
]);

/** The registered name of a media type, in lower case without parameters. */
export function registeredType(mediaType: string): string {
  const name = (mediaType.split(';')[0] ?? '').trim().toLowerCase();
  return REGISTERED_TYPES.get(name) ?? name;
}

/** Base64 prefixes of the image types that vendors accept. */
const SIGNATURES: readonly (readonly [beginning: RegExp, mediaType: string])[] = [
  [/^iVBORw0KGgo/, 'image/png'], [/^[/_]9j[/_]/, 'image/jpeg'], [/^R0lGOD/, 'image/gif'], [/^UklGR.{6}XRUJQ/, 'image/webp'],
];

/**
 * An image with its type. The bytes determine the type, because clients often send a wrong one and vendors refuse it. If the bytes do not show the
 * type, the client's type counts, under its registered name.
 */
export function imageOf(mediaType: string | null, data: string): ImageSource {
  const seen = SIGNATURES.find(([beginning]) => beginning.test(data))?.[1];
  return { kind: 'base64', mediaType: seen ?? (mediaType === null || mediaType === '' ? DEFAULT_IMAGE_MEDIA_TYPE : registeredType(mediaType)), data };
}

const DATA_SCHEME = /^data:/i;
const WEB_SCHEME = /^https?:\/\/./i;
const NOT_BASE64 = /[^A-Za-z0-9+/=_\-\s]/;

/** Refuses an empty text, and characters that are neither Base64 nor whitespace. Returns the text undecoded. */
export const decodeBase64: Decoder<string> = (value, within, key) => {
  const data = decodeString(value, within, key);
  if (data === '' || NOT_BASE64.test(data)) throw invalidField(within, key, 'must hold base64 data');
  return data;
};

interface DataUrl {
  readonly mediaType: string;
  /** Not decoded yet. */
  readonly data: string;
}

/** `null` for a text that is not a `data:` URL; refuses one without Base64. */
export const decodeDataUrl: Decoder<DataUrl | null> = (value, within, key) => {
  const url = decodeString(value, within, key);
  if (!DATA_SCHEME.test(url)) return null;
  const comma = url.indexOf(',');
  const [mediaType = '', ...parameters] = url.slice('data:'.length, Math.max(comma, 0)).split(';').map((part) => part.trim());
  if (parameters.at(-1)?.toLowerCase() !== 'base64') throw invalidField(within, key, 'must be a base64 data URL');
  return { mediaType, data: url.slice(comma + 1) };
};

/** Decodes an `http:`, `https:` or `data:` URL, which the gateway never fetches. */
export const decodeImageUrl: Decoder<ImageSource> = (value, within, key) => {
  const url = decodeString(value, within, key);
  if (WEB_SCHEME.test(url)) return { kind: 'url', url };
  const given = decodeDataUrl(url, within, key);
  if (given === null) throw invalidField(within, key, 'must be an http, https or data URL');
  return imageOf(given.mediaType, decodeBase64(given.data, within, key));
};

const MAX_TTL_CHARACTERS = 16;

/** The mark that `cache_control` sets; `null` if it has no effect. */
export function cacheMarkOf({ values: { cache_control: mark } }: Fields): CacheMark | null {
  if (typeof mark !== 'object' || mark === null || !('type' in mark) || mark.type !== 'ephemeral') return null;
  return { ttl: 'ttl' in mark && typeof mark.ttl === 'string' ? mark.ttl.slice(0, MAX_TTL_CHARACTERS) : null };
}

/** The field `cacheMark` of a block; empty without a mark. */
export function cacheMarkIn(fields: Fields): { readonly cacheMark?: CacheMark } {
  const cacheMark = cacheMarkOf(fields);
  return cacheMark === null ? {} : { cacheMark };
}

/** Adds the mark that the fields set; returns the block unchanged if they set none. */
export function withCacheMark<Block extends object>(block: Block, fields: Fields): Block {
  const cacheMark = cacheMarkOf(fields);
  return cacheMark === null ? block : { ...block, cacheMark };
}

const decodePositiveInteger = decodeIntegerFrom(1);

export const decodeMaxTokens: Decoder<TokenCount> = (value, within, key) => tokenCount(decodePositiveInteger(value, within, key));

const MAX_CACHE_KEY_CHARACTERS = 1_024;

export const decodeCacheKey: Decoder<string> = decodeStringUpTo(MAX_CACHE_KEY_CHARACTERS);

/** The reasoning that each effort of a request asks for. Models distinguish three efforts besides `off`: `low`, `high` and `max`. */
const EFFORTS: ReadonlyMap<string, Reasoning> = new Map<string, Reasoning>([
  ['none', 'off'], ['minimal', 'low'], ['low', 'low'],
  ['medium', 'high'], ['high', 'high'], ['xhigh', 'high'], ['max', 'max'],
]);
/** What `thinking` asks for. `low` is the minimum of models that cannot turn thinking off. */
type Thinking = 'on' | 'low' | 'off';

const THINKING_TYPES: ReadonlyMap<string, Thinking> = new Map<string, Thinking>([['enabled', 'on'], ['adaptive', 'on'], ['between_tools', 'low'], ['disabled', 'off']]);

export const decodeEffort: Decoder<Reasoning> = decodeOneOf(EFFORTS);

/** The reasoning that an effort asks for; `null` for unknown words. */
export function effortOf(word: string): Reasoning | null {
  return EFFORTS.get(word) ?? null;
}

const decodeThinkingType = decodeOneOf(THINKING_TYPES);

/** Decodes `thinking` of the chat and messages formats. Its budget is validated and ignored: the model's limits apply. */
export const decodeThinking: Decoder<Thinking> = (value, within, key) => {
  const fields = decodeObject(value, within, key);
  optional(fields, 'budget_tokens', decodeNumber);
  return required(fields, 'type', decodeThinkingType);
};

/**
 * The reasoning that `thinking` and an effort ask for together: `off` takes precedence, then `low` of `thinking`, then the effort, then `thinking`.
 */
export function reasoningOf(thinking: Thinking | null, effort: Reasoning | null): Reasoning {
  if (thinking === 'off' || effort === 'off') return 'off';
  if (thinking === 'low') return 'low';
  return effort ?? thinking ?? 'model-default';
}

export type ReplyFormat = Pick<GenerationRequest, 'responseFormat' | 'outputSchema'>;

export const PLAIN_REPLY: ReplyFormat = { responseFormat: 'text', outputSchema: null };

const decodeFormatType = decodeOneOf(new Map([['text', 'text'], ['json_object', 'json_object'], ['json_schema', 'json_schema']]));

/** Decodes the reply's format. The chat format has the schema in `json_schema`, the other formats beside `type`. */
export const decodeReplyFormat: Decoder<ReplyFormat> = (value, within, key) => {
  const format = decodeObject(value, within, key);
  const type = required(format, 'type', decodeFormatType);
  if (type === 'text') return PLAIN_REPLY;
  return { responseFormat: 'json', outputSchema: type === 'json_schema' ? schemaIn(objectIn(format, 'json_schema') ?? format) : null };
};

/** The output schema. The gateway does not enforce schemas, so it omits an unreadable one instead of refusing it. */
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

/** Refuses duplicate ids of calls or results in a turn, because calls and results could not be matched. */
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

export const NO_SERVER_TOOLS = 'server tools, which a vendor runs on its own servers, are not offered';

/** The tools whose names are allowed. Refuses a name that no tool has. */
export function allowedTools(tools: readonly Tool[], allowed: readonly string[]): readonly Tool[] {
  const names = new Set(allowed);
  const rest = tools.filter(({ name }) => names.delete(name));
  const [missing] = names;
  if (missing !== undefined) throw invalidField(null, 'tool_choice', `allows a tool that is not in 'tools': ${JSON.stringify(missing)}`);
  return rest;
}

/**
 * Validates a choice, which must not name a tool that is missing. Without tools, `auto` and `none` become `null`, and a required call is refused.
 * `hasServerTools`: some tools of the request were omitted.
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

/**
 * Arranges turns: leading instructions become `system`, later ones keep their place, and missing results are added. If there are only instructions,
 * they stay turns.
 */
export function arrangeTurns(system: readonly TextBlock[], messages: readonly Turn[]): Conversation {
  const instructions = [...system];
  let first = 0;
  for (let turn = messages[first]; turn?.role === 'system'; turn = messages[first]) {
    for (const block of turn.content) instructions.push(block);
    first += 1;
  }
  if (first === 0 || first === messages.length) return { system, turns: pairResults(messages) };
  return { system: instructions, turns: pairResults(messages.slice(first)) };
}
