import * as fc from 'fast-check';
import type { JsonObject } from '@tollgate/core';
import { type ByteMutation, byteMutation, withMutatedBytes } from './byte-mutation.js';
import { type JsonMutation, jsonMutation, mutated } from './json-mutation.js';
import { textOf, treeOf } from './json-tree.js';
import { VALID_CHAT_BODIES, VALID_MESSAGES_BODIES, VALID_RESPONSES_BODIES } from './valid-bodies.js';

/** Header lines in order; `$key` stands for the caller's key. */
export type Headers = readonly (readonly [name: string, value: string])[];

/** How the length of the body is stated. `sound`: correctly, on a connection that is kept alive. */
export type BodyFraming =
  | { readonly kind: 'sound' }
  /** States a length that is wrong by `by`, then disconnects. */
  | { readonly kind: 'lies'; readonly by: number }
  /** Sends these lines instead of `content-length`, and `end` after the body. */
  | { readonly kind: 'raw'; readonly lines: readonly string[]; readonly end: string };

export interface FuzzedRequest {
  readonly method: string;
  readonly target: string;
  readonly headers: Headers;
  readonly body: Buffer;
  readonly framing: BodyFraming;
}

const CHAT = '/v1/chat/completions';
const MESSAGES = '/v1/messages';
const COUNT = '/v1/messages/count_tokens';
const RESPONSES = '/v1/responses';
const COUNT_INPUT = '/v1/responses/input_tokens';

const bodyOf = fc.oneof(
  { weight: 10, arbitrary: fc.record({ target: fc.constant(CHAT), body: fc.constantFrom(...VALID_CHAT_BODIES) }) },
  { weight: 10, arbitrary: fc.record({ target: fc.constant(MESSAGES), body: fc.constantFrom(...VALID_MESSAGES_BODIES) }) },
  { weight: 2, arbitrary: fc.record({ target: fc.constant(COUNT), body: fc.constantFrom(...VALID_MESSAGES_BODIES) }) },
  { weight: 10, arbitrary: fc.record({ target: fc.constant(RESPONSES), body: fc.constantFrom(...VALID_RESPONSES_BODIES) }) },
  { weight: 2, arbitrary: fc.record({ target: fc.constant(COUNT_INPUT), body: fc.constantFrom(...VALID_RESPONSES_BODIES) }) },
  // A body of one format is sent to the endpoint of another.
  { weight: 1, arbitrary: fc.record({ target: fc.constant(MESSAGES), body: fc.constantFrom(...VALID_CHAT_BODIES) }) },
  { weight: 1, arbitrary: fc.record({ target: fc.constant(CHAT), body: fc.constantFrom(...VALID_MESSAGES_BODIES) }) },
  { weight: 1, arbitrary: fc.record({ target: fc.constant(RESPONSES), body: fc.constantFrom(...VALID_CHAT_BODIES, ...VALID_MESSAGES_BODIES) }) },
  { weight: 1, arbitrary: fc.record({ target: fc.constantFrom(CHAT, MESSAGES), body: fc.constantFrom(...VALID_RESPONSES_BODIES) }) },
);

const SOUND_HEADERS: Headers = [['authorization', 'Bearer $key'], ['content-type', 'application/json']];

const CREDENTIALS: readonly Headers[] = [
  [['authorization', 'Bearer $key']], [['x-api-key', '$key']], [['authorization', 'bearer   $key']], [['authorization', 'Bearer $key'], ['x-api-key', '$key']],
  [], [['authorization', '']], [['authorization', 'Bearer']], [['authorization', 'Bearer sk-']], [['authorization', 'Basic dXNlcjpwYXNz']], [['authorization', '$key']],
  [['authorization', 'Bearer $key extra']], [['authorization', 'Bearer $key'], ['x-api-key', 'sk-other']], [['x-api-key', 'sk-\u00E9']],
  [['authorization', `Bearer sk-${'a'.repeat(48)}`]], [['authorization', `Bearer ${'a'.repeat(8_000)}`]], [['x-api-key', `sk-${'0'.repeat(49)}`]], [['x-api-key', '__proto__']],
];

const TYPES: readonly Headers[] = [
  [['content-type', 'application/json']], [['content-type', 'application/json; charset=utf-8']], [['content-type', 'text/json;charset=utf-16']], [], [['content-type', '']],
  [['content-type', 'text/plain']], [['content-type', 'application/x-www-form-urlencoded']], [['content-type', 'multipart/form-data; boundary=x']],
  [['content-type', ';']], [['content-type', 'application/json;']], [['content-type', 'application/json; charset="']], [['content-type', `application/${'x'.repeat(2_000)}+json`]],
];

const EXTRAS: readonly Headers[] = [
  [], [['content-encoding', 'gzip']], [['content-encoding', 'identity']], [['content-encoding', 'br, gzip']], [['content-encoding', '']],
  [['accept', 'text/html']], [['accept-encoding', 'gzip']], [['anthropic-version', '2023-06-01'], ['anthropic-beta', 'a,b,c']], [['anthropic-version', '\u00FF']],
  [['x-request-id', 'mine']], [['idempotency-key', 'k']], [['idempotency-key', '']], [['expect', '200-ok']], [['origin', 'https://example.test']],
  [['x-forwarded-for', '1.2.3.4, ::1, nonsense']], [['cookie', 'a=b; '.repeat(200)]], [['range', 'bytes=0-']], [['upgrade', 'h2c'], ['connection', 'upgrade']],
  [['host', '']], [['te', 'trailers']], [['x-large', 'a'.repeat(12_000)]], [['__proto__', 'a'], ['constructor', 'b']], [['if-none-match', '*']],
];

const headers: fc.Arbitrary<Headers> = fc.oneof(
  { weight: 8, arbitrary: fc.constant(SOUND_HEADERS) },
  { weight: 1, arbitrary: fc.tuple(fc.constantFrom(...CREDENTIALS), fc.constantFrom(...TYPES), fc.constantFrom(...EXTRAS)).map((parts) => parts.flat()) },
  { weight: 1, arbitrary: fc.constantFrom(...EXTRAS).map((extra) => [...SOUND_HEADERS, ...extra]) },
);

const framing: fc.Arbitrary<BodyFraming> = fc.oneof(
  { weight: 60, arbitrary: fc.constant<BodyFraming>({ kind: 'sound' }) },
  { weight: 2, arbitrary: fc.integer({ min: -50, max: 50 }).map((by): BodyFraming => ({ kind: 'lies', by })) },
  {
    weight: 1,
    arbitrary: fc.constantFrom<BodyFraming>(
      { kind: 'raw', lines: ['transfer-encoding: chunked'], end: '' },
      { kind: 'raw', lines: ['transfer-encoding: chunked', 'content-length: 5'], end: '0\r\n\r\n' },
      { kind: 'raw', lines: ['transfer-encoding: gzip, chunked'], end: '0\r\n\r\n' },
      { kind: 'raw', lines: ['transfer-encoding: identity'], end: '' },
      { kind: 'raw', lines: ['content-length: -1'], end: '' },
      { kind: 'raw', lines: ['content-length: 1', 'content-length: 2'], end: '' },
      { kind: 'raw', lines: ['content-length: 99999999999999999999'], end: '' },
      { kind: 'raw', lines: ['content-length: 0x10'], end: '' },
      { kind: 'raw', lines: ['content-length: 2097153'], end: '' },
      { kind: 'raw', lines: [], end: '' },
      { kind: 'raw', lines: ['expect: 100-continue', 'content-length: 2'], end: '' },
      { kind: 'raw', lines: ['no colon at all'], end: '' },
      { kind: 'raw', lines: [': empty'], end: '' },
      { kind: 'raw', lines: ['x: a\rb'], end: '' },
      { kind: 'raw', lines: ['x: \0'], end: '' },
      { kind: 'raw', lines: Array.from({ length: 3_000 }, (_, number) => `x-${number}: a`), end: '' },
    ),
  },
);

const method = fc.oneof(
  { weight: 60, arbitrary: fc.constant('POST') },
  { weight: 1, arbitrary: fc.constantFrom('GET', 'HEAD', 'PUT', 'DELETE', 'PATCH', 'OPTIONS', 'PROPFIND', 'QUERY') },
);

/** Keeps the path, appends to it or replaces it. */
const targetChange: fc.Arbitrary<(target: string) => string> = fc.oneof(
  { weight: 60, arbitrary: fc.constant((target: string) => target) },
  {
    weight: 2,
    arbitrary: fc.constantFrom(
      '?beta=true', '?', '?a=%', '?__proto__=1', '/', '//', '/%', '/%00', '/../models', '%2f', ';a=b', '?a[b]=c', '/x', `?${'a'.repeat(6_000)}`,
    ).map((suffix) => (target: string) => target + suffix),
  },
  {
    weight: 1,
    arbitrary: fc.constantFrom(
      '/', '*', '/v1', '/v1/models', '/v1/models/%E0%A4%A', '/v1/models/__proto__', '/v1/models/constructor', '/v1/usage?limit=-1', '/v1/usage?start=x&end=y',
      '/v1/usage/req_x', '/v1/usage?cursor=%00', '/v1/usage/summary?group_by=__proto__', '/v1/account', '/v1/api-keys',
      '/v1/responses/resp_fuzzfirst', '/v1/responses/resp_x', '/v1/responses/%00', '/v1/responses/__proto__', '/v1/responses/resp_fuzzsecond?stream=true', '/v1/responses/resp_x/cancel', '/V1/Responses',
      'http://example.test/v1/messages', 'HTTP://example.test/v1/chat/completions?a=b', '/V1/MESSAGES', '/v1/Chat/Completions', '/healthz', '/readyz', '//v1//messages',
    ).map((other) => () => other),
  },
);

const jsonMutations = fc.array(jsonMutation, { maxLength: 4 });
const byteMutations = fc.oneof({ weight: 6, arbitrary: fc.constant<readonly ByteMutation[]>([]) }, { weight: 1, arbitrary: fc.array(byteMutation, { minLength: 1, maxLength: 3 }) });

function bytesOf(body: JsonObject, changes: readonly JsonMutation[], byteChanges: readonly ByteMutation[]): Buffer {
  const bytes = Buffer.from(textOf(changes.reduce(mutated, treeOf(body))));
  return byteChanges.reduce(withMutatedBytes, bytes);
}

/** A valid request with mutations of its JSON, bytes, headers, framing, method and path. */
export const fuzzedRequest: fc.Arbitrary<FuzzedRequest> = fc.record({
  base: bodyOf, changes: jsonMutations, byteChanges: byteMutations, headers, framing, method, targetChange,
}).map(({ base, changes, byteChanges, headers: sent, framing: framed, method: verb, targetChange: change }) => ({
  method: verb, target: change(base.target), headers: sent, body: bytesOf(base.body, changes, byteChanges), framing: framed,
}));
