import type { GenerationRequest, OutputSchema } from '@tollgate/core';
import { decodeDocument } from './decode-document.js';
import { decodeObject, type Fields, optional, required } from './decode-fields.js';
import { decodeOneOf } from './decode-values.js';
import type { Decoder } from './decoder.js';

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
