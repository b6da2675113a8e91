import { expect, it } from '@jest/globals';
import type { UpstreamDefinition } from '@tollgate/core';
import { readersAmong, readingOf } from './upstream-readers.js';

const SERVER = { baseUrl: 'http://127.0.0.1:1', apiKey: null };
const UPSTREAMS: readonly UpstreamDefinition[] = [
  { id: 'sandbox', kind: 'sandbox' },
  { ...SERVER, id: 'plain', kind: 'openai' },
  { ...SERVER, id: 'wishing', kind: 'openai', options: { jsonSchema: 'object' } },
  { ...SERVER, id: 'enforcing', kind: 'openai', options: { jsonSchema: 'schema' } },
  { ...SERVER, id: 'messages', kind: 'anthropic' },
  { ...SERVER, id: 'enforcing-messages', kind: 'anthropic', options: { jsonSchema: 'schema' } },
  { ...SERVER, id: 'enforcing-responses', kind: 'responses', options: { jsonSchema: 'schema' } },
];

it.each<readonly [ids: readonly string[], reading: ReturnType<typeof readingOf>]>([
  [['plain', 'wishing'], {}],
  [['sandbox'], { readsSchemas: true }],
  [['plain', 'enforcing'], { readsSchemas: true }],
  [['messages'], { readsDocuments: true }],
  [['plain', 'messages'], { readsDocuments: true }],
  [['enforcing-messages'], { readsDocuments: true, readsSchemas: true }],
  [['messages', 'enforcing-responses'], { readsDocuments: true, readsSchemas: true }],
])('a model at the upstreams %j has the capabilities %j', (ids, reading) => {
  expect(readingOf(ids, readersAmong(UPSTREAMS))).toEqual(reading);
});
