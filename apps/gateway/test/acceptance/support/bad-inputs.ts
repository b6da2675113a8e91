import {
  CHAT_FIELDS, type FieldRow, FULL_CHAT_REQUEST, FULL_MESSAGES_REQUEST, FULL_RESPONSES_REQUEST, MESSAGES_FIELDS, RESPONSES_FIELDS,
} from '@tollgate/testkit';
import type { ErrorCode, JsonObject } from '@tollgate/core';
import { CHAT, type Format, MESSAGES, RESPONSES } from './formats.js';

export const BODY_LIMIT = 2_097_152;
export const MODEL = 'plain';

export interface BadInputFormat {
  readonly format: Format;
  /** A request that has every field of the format and is served. */
  readonly full: JsonObject;
  readonly fields: readonly FieldRow[];
  /** `null` in the format without stop sequences. */
  readonly stopField: string | null;
  /** Maximum number of messages or items. */
  readonly turnsMaximum: number;
  readonly tools: (count: number) => readonly JsonObject[];
}

export const BAD_INPUT_FORMATS: readonly BadInputFormat[] = [
  {
    format: CHAT,
    full: { ...FULL_CHAT_REQUEST, model: MODEL },
    fields: CHAT_FIELDS,
    stopField: 'stop',
    turnsMaximum: 200,
    tools: (count) => Array.from({ length: count }, (_, position) => ({ type: 'function', function: { name: `tool_${position}` } })),
  },
  {
    format: MESSAGES,
    full: { ...FULL_MESSAGES_REQUEST, model: MODEL },
    fields: MESSAGES_FIELDS,
    stopField: 'stop_sequences',
    turnsMaximum: 200,
    tools: (count) => Array.from({ length: count }, (_, position) => ({ name: `tool_${position}`, input_schema: { type: 'object' } })),
  },
  {
    format: RESPONSES,
    full: { ...FULL_RESPONSES_REQUEST, model: MODEL },
    fields: RESPONSES_FIELDS,
    stopField: null,
    turnsMaximum: 2_000,
    tools: (count) => Array.from({ length: count }, (_, position) => ({ type: 'function', name: `tool_${position}` })),
  },
];

/** A body and the expected reply: 200 if the body is unusual but valid. */
export interface BadInput {
  readonly name: string;
  readonly body: string;
  readonly status: number;
  readonly code: ErrorCode | null;
  /** The field that the error names, in formats whose errors name fields. */
  readonly param?: string;
}

function turns(count: number): readonly JsonObject[] {
  return Array.from({ length: count }, (_, position) => ({ role: position % 2 === 0 ? 'user' : 'assistant', content: 'x' }));
}

function words(count: number): readonly string[] {
  return Array.from({ length: count }, (_, position) => `stop ${position}`);
}

function unknownFields(count: number): JsonObject {
  return Object.fromEntries(Array.from({ length: count }, (_, position) => [`f${position}`, 0]));
}

/** Bodies at and beyond every limit, and malformed ones. */
export function badInputs({ format, stopField, turnsMaximum, tools }: BadInputFormat): readonly BadInput[] {
  const body = (fields: JsonObject): string => JSON.stringify({ ...format.body(MODEL, 'Hi'), ...fields });
  const { promptField, outputField } = format;
  const saying = (text: string): string => body({ [promptField]: [{ role: 'user', content: text }] });
  const served = (name: string, text: string): BadInput => ({ name, body: text, status: 200, code: null });
  const invalid = (name: string, text: string, param?: string): BadInput =>
    ({ name, body: text, status: 400, code: 'invalid_request', ...(param === undefined ? {} : { param }) });
  const tooLong = (name: string, text: string): BadInput =>
    ({ name, body: text, status: 400, code: 'context_length_exceeded', param: promptField });
  return [
    invalid('no body', ''),
    invalid('JSON that is cut off', body({}).slice(0, -1)),
    invalid('JSON with a comma too many', `${body({}).slice(0, -1)},}`),
    invalid('two JSON values', body({}).repeat(2)),
    invalid('something that is no JSON at all', 'model=plain&max_tokens=1'),
    invalid('a string', '"model"'),
    invalid('null', 'null'),
    invalid('an array', '[]'),
    invalid('an empty object', '{}', 'model'),
    { name: 'a body of 2 MB and 1 byte', body: body({}).padEnd(BODY_LIMIT + 1), status: 413, code: 'payload_too_large' },
    served('a body of exactly 2 MB', body({}).padEnd(BODY_LIMIT)),
    invalid('a turn too many', body({ [promptField]: turns(turnsMaximum + 1) }), promptField),
    served('as many turns as a request may have', body({ [promptField]: turns(turnsMaximum) })),
    invalid('no turns', body({ [promptField]: [] }), promptField),
    invalid('129 tools', body({ tools: tools(129) }), 'tools'),
    served('128 tools', body({ tools: tools(128) })),
    ...(stopField === null ? [] : [
      invalid('17 stop sequences', body({ [stopField]: words(17) }), stopField),
      served('16 stop sequences', body({ [stopField]: words(16) })),
    ]),
    invalid('a text of 1,000,001 characters', saying('x'.repeat(1_000_001)), `${promptField}[0].content`),
    // The text is within the limit on one message, but has more tokens than any test model accepts.
    tooLong('a text of 1,000,000 characters', saying('a b '.repeat(250_000))),
    invalid('100,000 levels of arrays', `{"${promptField}":${'['.repeat(100_000)}${']'.repeat(100_000)}}`),
    invalid('100,000 levels of objects', `{"${promptField}":${'{"a":'.repeat(100_000)}1${'}'.repeat(100_000)}}`),
    invalid('100,000 levels in a tool\'s schema', body({ tools: [{ deep: 'HERE' }] }).replace('"HERE"', `${'['.repeat(100_000)}${']'.repeat(100_000)}`)),
    invalid('1,000,000 brackets that are never closed', '['.repeat(1_000_000)),
    served('100 KB of one letter', saying('a'.repeat(100_000))),
    served('100 KB of one bracket in a text', saying('['.repeat(100_000))),
    served('100 KB of spaces in a text', saying(' '.repeat(100_000))),
    served('100 KB of backslashes in a text', saying('\\'.repeat(100_000))),
    served('50,000 emoji', saying('🙂'.repeat(50_000))),
    served('a lone surrogate in the name of a user', body({ user: '\uD83D', metadata: { user_id: '\uD83D\0' } })),
    served('30,000 unknown fields', body(unknownFields(30_000))),
    invalid('100,000 unknown fields', body(unknownFields(100_000))),
    served('a field that is named like the prototype', body({}).replace('{', '{"__proto__":{"model":1},"constructor":1,')),
    { name: 'a model name of 300 characters', body: body({ model: 'm'.repeat(300) }), status: 400, code: 'invalid_request', param: 'model' },
    { name: 'a model named like a property', body: body({ model: 'constructor' }), status: 404, code: 'model_not_found', param: 'model' },
    invalid('a number beyond all numbers', body({ temperature: 0 }).replace('"temperature":0', '"temperature":1e999'), 'temperature'),
    invalid('a negative maximum', body({ [outputField]: -1 }), outputField),
    invalid('a fraction of a token', body({ [outputField]: 1.5 }), outputField),
  ];
}
