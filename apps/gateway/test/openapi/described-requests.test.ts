import { describe, expect, it } from '@jest/globals';
import { type AccountId, DEFAULT_REQUEST_LIMITS } from '@tollgate/core';
import { describeV1, type OpenApiDocument } from '@tollgate/api-contract';
import { chatFormat } from '@tollgate/wire-chat';
import { errorTable, REFUSED_FIELDS, REFUSED_RESPONSES_FIELDS, UNSENT_SETTINGS } from '@tollgate/wire-kit';
import { messagesFormat } from '@tollgate/wire-messages';
import { responsesFormat } from '@tollgate/wire-responses';

interface Schema {
  readonly $ref?: string;
  readonly properties?: Readonly<Record<string, Schema>>;
  readonly items?: Schema;
  readonly anyOf?: readonly Schema[];
  readonly additionalProperties?: unknown;
}

const DOCUMENT: OpenApiDocument = describeV1({ version: '1', product: 'Tollgate', tokensWord: 'service tokens', errors: errorTable });
const NO_TERMS = { limits: DEFAULT_REQUEST_LIMITS, accountId: 'acct_1' as AccountId, stored: new Map(), exceedsStored: false, keepsReplies: false };

function resolved(schema: Schema): Schema {
  const name = schema.$ref?.split('/').at(-1);
  return name === undefined ? schema : DOCUMENT.components.schemas[name] as Schema;
}

/** Schema of the body of `POST` at a path. */
function bodyOf(path: string): Schema {
  const operation = DOCUMENT.paths[path]?.['post'] as { readonly requestBody: { readonly content: { readonly 'application/json': { readonly schema: Schema } } } } | undefined;
  if (operation === undefined) throw new Error(`no description of ${path}`);
  return operation.requestBody.content['application/json'].schema;
}

/** A schema's alternatives; the schema itself if it has none. */
function partsOf(schema: Schema): readonly Schema[] {
  const whole = resolved(schema);
  return whole.anyOf === undefined ? [whole] : whole.anyOf.flatMap(partsOf);
}

/** The schemas that any alternative has for a member; empty if none describes the member. */
function memberOf(schemas: readonly Schema[], name: string): readonly Schema[] {
  return schemas.flatMap(partsOf).flatMap(({ properties, items }) => (name === '[]' ? items : properties?.[name]) ?? []);
}

/** True if an alternative permits any JSON object and describes no members. */
function isOpen(schemas: readonly Schema[]): boolean {
  return schemas.flatMap(partsOf).some(({ properties, items, ...schema }) => properties === undefined && items === undefined && 'additionalProperties' in schema);
}

function isDescribed(root: Schema, path: readonly string[]): boolean {
  let schemas: readonly Schema[] = [root];
  for (const name of path) {
    const members = memberOf(schemas, name);
    if (members.length === 0) return isOpen(schemas);
    schemas = members;
  }
  return true;
}

/** A proxy of the value that records the path of every member that is read. */
function recording<T extends object>(value: T, reads: Set<string>, path: readonly string[] = []): T {
  return new Proxy(value, {
    get(target, name, receiver) {
      const member: unknown = Reflect.get(target, name, receiver);
      if (typeof name === 'symbol' || name === 'toJSON') return member;
      const isIndex = Array.isArray(target) && /^\d+$/.test(name);
      if (Array.isArray(target) && !isIndex) return member;
      const inner = [...path, isIndex ? '[]' : name];
      reads.add(inner.join(' '));
      return typeof member === 'object' && member !== null ? recording(member, reads, inner) : member;
    },
  });
}

const SCHEMA = { type: 'object', properties: {} };
const DATA = 'aGVsbG8=';

const CHAT = {
  model: 'm',
  messages: [
    { role: 'system', content: [{ type: 'text', text: 'a' }] },
    { role: 'user', content: [{ type: 'text', text: 'a' }, { type: 'image_url', image_url: { url: 'https://example.com/a.png' } }, { type: 'file', file: { file_data: DATA } }] },
    { role: 'assistant', content: [{ type: 'text', text: 'a' }, { type: 'refusal', refusal: 'no' }], tool_calls: [{ id: 'c', type: 'function', function: { name: 'f', arguments: '{}' } }] },
    { role: 'tool', tool_call_id: 'c', content: 'r' },
  ],
  tools: [{ type: 'function', function: { name: 'f', parameters: SCHEMA } }],
  tool_choice: { type: 'allowed_tools', allowed_tools: { mode: 'auto', tools: [{ type: 'function', function: { name: 'f' } }] } },
  stream_options: {}, thinking: { type: 'enabled' }, response_format: { type: 'json_schema', json_schema: { name: 'n', schema: SCHEMA } },
};

const MESSAGES = {
  model: 'm', max_tokens: 10, system: [{ type: 'text', text: 'a' }],
  messages: [
    {
      role: 'user', content: [
        { type: 'text', text: 'a' }, { type: 'image', source: { type: 'base64', media_type: 'image/png', data: DATA } }, { type: 'image', source: { type: 'url', url: 'https://example.com/a.png' } },
        { type: 'document', source: { type: 'text', data: 'a' } }, { type: 'search_result', content: 'a' },
      ],
    },
    { role: 'assistant', content: [{ type: 'thinking', thinking: 't' }, { type: 'redacted_thinking', data: 'd' }, { type: 'text', text: 'a' }, { type: 'tool_use', id: 'c', name: 'f', input: {} }] },
    { role: 'user', content: [{ type: 'tool_result', tool_use_id: 'c', content: [{ type: 'text', text: 'r' }] }] },
    { role: 'system', content: 's' },
  ],
  tools: [{ name: 'f', input_schema: SCHEMA }], tool_choice: { type: 'tool', name: 'f' }, thinking: { type: 'enabled' },
  output_config: { format: { type: 'json_schema', schema: SCHEMA } }, output_format: { type: 'json_schema', schema: SCHEMA }, metadata: {},
};

const RESPONSES = {
  model: 'm',
  input: [
    { role: 'user', content: [{ type: 'input_text', text: 'a' }, { type: 'input_image', image_url: 'https://example.com/a.png' }, { type: 'input_file', file_data: DATA }] },
    { type: 'reasoning', summary: [] },
    { type: 'message', role: 'assistant', content: [{ type: 'output_text', text: 'a' }, { type: 'refusal', refusal: 'no' }] },
    { type: 'function_call', call_id: 'c', name: 'f', arguments: '{}' }, { type: 'function_call_output', call_id: 'c', output: 'r' },
    { type: 'custom_tool_call', call_id: 'd', name: 'g', input: 'x' }, { type: 'custom_tool_call_output', call_id: 'd', output: [{ type: 'input_text', text: 'r' }] },
    { type: 'tool_search_call', call_id: 'e', arguments: {} }, { type: 'tool_search_output', call_id: 'e', tools: [] },
    { role: 'user', content: 'a' },
  ],
  tools: [{ type: 'function', name: 'f', parameters: SCHEMA }, { type: 'custom', name: 'g', format: { type: 'text' } }, { type: 'namespace', name: 'n', tools: [] }],
  tool_choice: 'auto', reasoning: {}, text: { format: { type: 'json_schema', name: 'n', schema: SCHEMA } }, metadata: {},
};

/** Fields that are read only to refuse them, and fields of other formats that are accepted without effect. */
const REFUSED: ReadonlySet<string> = new Set([...REFUSED_FIELDS.keys(), ...REFUSED_RESPONSES_FIELDS.keys(), 'thread', 'functions', 'function_call', 'messages [] function_call']);

/** Fields, and the objects that contain them, that are read only to name them in the usage record. */
const NAMED: ReadonlySet<string> = new Set([...UNSENT_SETTINGS.keys()].flatMap((path) => [path.split('.')[0] ?? '', path.replaceAll('.', ' ')]));

describe.each([
  ['post /v1/chat/completions', CHAT, (body: object) => chatFormat.decodeRequest(body, null, NO_TERMS)],
  ['post /v1/messages', MESSAGES, (body: object) => messagesFormat.decodeRequest(body, null, NO_TERMS)],
  ['post /v1/responses', RESPONSES, (body: object) => responsesFormat({ seal: null, clock: { now: () => 0 as never } }).decodeRequest(body, null, NO_TERMS)],
])('the description of the request of %s', (place, request, decode) => {
  const [, path = ''] = place.split(' ');
  const schema = bodyOf(path);
  const reads = new Set<string>();
  decode(recording(request, reads));

  it('has every field that is decoded', () => {
    expect([...reads].filter((read) => !REFUSED.has(read) && !NAMED.has(read) && !isDescribed(schema, read.split(' ')))).toEqual([]);
  });

  it('has no other field', () => {
    const described = Object.keys(resolved(schema).properties ?? {});
    expect(described.filter((name) => !reads.has(name))).toEqual([]);
  });
});
