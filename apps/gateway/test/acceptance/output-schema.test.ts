import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import type { JsonObject } from '@tollgate/core';
import { AcceptanceWorld } from './support/acceptance-world.js';
import { catalogueFile, modelEntry, scriptedEntry } from './support/scripted-catalogue.js';

const WRITTEN = '{ "type" : "object", "properties": { "2": { "type": "number", "minimum": 1.0 }, "1": {} } }';
const CONVERSATION = '"max_tokens": 100, "messages": [{ "role": "user", "content": "Hi" }], "input": "Hi"';
const ENDPOINTS = {
  chat: ['/v1/chat/completions', `"response_format": { "type": "json_schema", "json_schema": { "name": "answer", "strict": true, "schema": ${WRITTEN} } }`],
  messages: ['/v1/messages', `"output_config": { "format": { "type": "json_schema", "schema": ${WRITTEN} } }`],
  responses: ['/v1/responses', `"text": { "format": { "type": "json_schema", "name": "answer", "strict": true, "schema": ${WRITTEN} } }`],
  older: ['/v1/messages', `"output_format": { "type": "json_schema", "schema": ${WRITTEN} }`],
} as const;

let world: AcceptanceWorld;

beforeAll(async () => {
  world = await AcceptanceWorld.start({
    catalogue: (scripted) => catalogueFile({
      plain: scriptedEntry(scripted),
      strict: scriptedEntry(scripted, { json_schema: 'schema', extra_body: { min_p: 0.05, keep_alive: '30m', temperature: 1 } }),
    }, { plain: modelEntry('plain', { upstream: 'plain' }), strict: modelEntry('strict', { upstream: 'strict' }) }),
  });
});

afterAll(() => world.close());

async function sent(model: string, request: keyof typeof ENDPOINTS, more = ''): Promise<{ readonly body: JsonObject; readonly rawBody: string }> {
  const [path, format] = ENDPOINTS[request];
  const reply = await fetch(`${world.url}${path}`, {
    method: 'POST',
    headers: { 'x-api-key': world.caller.key, 'content-type': 'application/json' },
    body: `{ "model": "${model}", ${CONVERSATION}, ${format}${more} }`,
  });
  expect(reply.status).toBe(200);
  const received = world.upstream.requests.at(-1);
  if (received === undefined) throw new Error('nothing was sent');
  return received;
}

describe.each(['chat', 'messages', 'responses', 'older'] as const)('a JSON Schema of a request (%s)', (request) => {
  it('is replaced by a request for any JSON object if the upstream does not support schemas', async () => {
    expect((await sent('plain', request)).body['response_format']).toEqual({ type: 'json_object' });
  });

  it('is forwarded verbatim to an upstream with schema support', async () => {
    const { body, rawBody } = await sent('strict', request);
    expect(body['response_format']).toMatchObject({ type: 'json_schema', json_schema: { name: request === 'chat' || request === 'responses' ? 'answer' : 'response' } });
    expect(rawBody).toContain(`"schema":${WRITTEN}`);
  });
});

it('a field that the catalogue adds is sent with its type from the catalogue, unless the request sets it', async () => {
  expect((await sent('strict', 'chat')).body).toMatchObject({ min_p: 0.05, keep_alive: '30m', temperature: 1 });
  expect((await sent('strict', 'chat', ', "temperature": 0')).body).toMatchObject({ min_p: 0.05, temperature: 0 });
  expect((await sent('plain', 'chat')).body).not.toHaveProperty('min_p');
});
