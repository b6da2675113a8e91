import { type ErrorCode, FIELD_PROBLEMS, MAX_FIELD_FAULTS } from '@tollgate/core';
import type { JsonSchema } from './openapi-document.js';
import { jsonContent } from './openapi-document.js';

/** How an error code appears in replies. */
export interface ErrorAppearance {
  readonly status: number;
  readonly type: string;
}

export type ErrorTable = Readonly<Record<ErrorCode, ErrorAppearance>>;

function text(description: string): JsonSchema {
  return { type: 'string', description };
}

const FIELDS: Readonly<Record<string, JsonSchema>> = {
  message: text('What happened and what to do, in plain words. It may change; programs read `code`.'),
  type: text('The kind of error, by which official SDKs choose their exception.'),
  code: text('The exact reason. Codes are stable.'),
  param: { type: ['string', 'null'], description: 'The path of the field at fault: `messages[2].content`.' },
  details: { type: 'object', description: 'More about the error, for clients that can repair the request.' },
  resets_at: { type: 'integer', description: 'When the used-up limit is open again, in Unix seconds.' },
  request_id: text('The id of the request, as in its `x-request-id` header.'),
};

/** Errors of the chat and responses formats. */
const ERROR: JsonSchema = {
  type: 'object', description: 'A refusal or failure.', required: ['error'], additionalProperties: false,
  properties: {
    error: { type: 'object', description: 'The error.', required: ['message', 'type', 'code', 'request_id'], properties: FIELDS, additionalProperties: false },
  },
};

const FAULT: JsonSchema = {
  type: 'object', description: 'One field at fault.', required: ['field', 'code', 'message'], additionalProperties: false,
  properties: {
    field: text('The path of the field: `spending_limit.svc_tokens`.'),
    code: { enum: Object.keys(FIELD_PROBLEMS), description: 'What is wrong with it, for programs that word it themselves.' },
    message: text('The same in words that continue the name of the field: "must have at most 200 characters".'),
    values: { type: 'object', description: 'What the rule says, for the same purpose: `{"maximum": 200}`.', additionalProperties: { type: ['string', 'number'] } },
  },
};

/** Errors of the routes for the dashboard and for machines. */
const FORM_ERROR: JsonSchema = {
  ...ERROR,
  properties: {
    error: {
      type: 'object', description: 'The error.', required: ['message', 'type', 'code', 'request_id'], additionalProperties: false,
      properties: { ...FIELDS, errors: { type: 'array', items: FAULT, maxItems: MAX_FIELD_FAULTS, description: 'All fields at fault; `message` and `param` are those of the first.' } },
    },
  },
};

const { param: _param, resets_at: _resetsAt, ...MESSAGES_FIELDS } = FIELDS;

const MESSAGES_ERROR: JsonSchema = {
  type: 'object', description: 'A refusal or failure, in the messages format.', required: ['type', 'error'], additionalProperties: false,
  properties: {
    type: { const: 'error', description: 'The kind of object.' },
    error: { type: 'object', description: 'The error.', required: ['message', 'type', 'code', 'request_id'], properties: MESSAGES_FIELDS, additionalProperties: false },
  },
};

/** Name and schema of the errors of a route. */
export interface Refusal {
  readonly name: 'Error' | 'MessagesError' | 'EitherError';
  readonly schema: JsonSchema;
}

/** Errors on paths that clients of all formats use. */
const EITHER_ERROR: JsonSchema = {
  description: 'A refusal or failure, in the messages format if the request has the header `anthropic-version`.', anyOf: [ERROR, MESSAGES_ERROR],
};

const OF_MESSAGES = /\/messages(?:\/|$)/;
const OF_ALL_FORMATS = /^\/v1\/(?!chat\/|responses(?:\/|$))/;

/** Chooses the form of errors by the path of the route. */
export function refusalOf({ path }: { readonly path: string }): Refusal {
  if (OF_MESSAGES.test(path)) return { name: 'MessagesError', schema: MESSAGES_ERROR };
  if (OF_ALL_FORMATS.test(path)) return { name: 'EitherError', schema: EITHER_ERROR };
  return { name: 'Error', schema: path.startsWith('/v1/') ? ERROR : FORM_ERROR };
}

/** One response per HTTP status; its description lists the codes with that status. */
export function errorResponses(codes: readonly ErrorCode[], { table, schema }: { readonly table: ErrorTable; readonly schema: JsonSchema }): Readonly<Record<string, object>> {
  const byStatus = new Map<number, Set<ErrorCode>>();
  for (const code of codes) byStatus.set(table[code].status, (byStatus.get(table[code].status) ?? new Set()).add(code));
  return Object.fromEntries([...byStatus].toSorted(([first], [second]) => first - second).map(([status, of]) => [
    String(status), { description: `Refused: ${[...of].map((code) => `\`${code}\``).join(', ')}.`, content: jsonContent(schema) },
  ]));
}

