import type { GenerationRequest, ImageSource, OutputSchema, Reasoning } from '@tollgate/core';
import { type Decoder, invalidField } from './decoder.js';
import { decodeNumber, decodeOneOf, decodeString } from './decode-values.js';
import { decodeDocument, decodeObject, type Fields, optional, required } from './decode-fields.js';

/** Assumed where the client names none; upstreams look at the image itself. */
export const DEFAULT_IMAGE_MEDIA_TYPE = 'image/jpeg';

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
  return {
    kind: 'base64',
    mediaType: mediaType === '' ? DEFAULT_IMAGE_MEDIA_TYPE : mediaType,
    data: decodeBase64(url.slice(comma + 1), within, key),
  };
};

/** The efforts of the wire and the three that models tell apart. */
const EFFORTS: ReadonlyMap<string, Reasoning> = new Map<string, Reasoning>([
  ['none', 'off'], ['minimal', 'low'], ['low', 'low'],
  ['medium', 'high'], ['high', 'high'], ['xhigh', 'high'], ['max', 'max'],
]);
const THINKING_TYPES: ReadonlyMap<string, 'on' | 'off'> = new Map([['enabled', 'on'], ['adaptive', 'on'], ['disabled', 'off']]);

export const decodeEffort: Decoder<Reasoning> = decodeOneOf(EFFORTS);

const decodeThinkingType = decodeOneOf(THINKING_TYPES);

/** The `thinking` object of either format. Its budget is checked and left out: the model's own limits apply. */
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
