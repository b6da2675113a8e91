import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { LinearTokenEstimator } from '@tollgate/adapters-upstream';
import type { JsonObject } from '@tollgate/core';
import { replies } from '@tollgate/testkit';
import { CLIENT_FORMATS, type ClientFormat, DELIVERIES, KINDS, UpstreamWorld } from '../support/upstream-world.js';

let world: UpstreamWorld;
beforeAll(async () => {
  world = await UpstreamWorld.start([{ kind: 'openai', options: { jsonSchema: 'schema' } }], {}, { estimator: new LinearTokenEstimator() });
});
afterAll(() => world.close());

const DESCRIPTION = 'Once upon a time there was a king. '.repeat(2_000);
const QUESTION = { role: 'user', content: 'Hi' };
const SCHEMA = { name: 'answer', description: DESCRIPTION, schema: { type: 'object' } };

it.each<[ClientFormat, JsonObject]>([
  ['chat', { messages: [QUESTION], response_format: { type: 'json_schema', json_schema: SCHEMA } }],
  ['responses', { input: [QUESTION], text: { format: { type: 'json_schema', ...SCHEMA } } }],
])('the description of a schema is charged as part of the prompt, for a client of the %s format', async (format, body) => {
  world.upstream().script('u0', replies({ text: '{}', usage: { prompt_tokens: 18_000, completion_tokens: 2, total_tokens: 18_002 } }));
  await world.ask(format, body);
  expect(world.upstream().requests.at(-1)?.rawBody).toContain(DESCRIPTION);
  expect((await world.usage())[0]).toMatchObject({ usage_source: 'reported', usage: { prompt_tokens: 18_000 } });
});

const LONG_SCHEMA = { type: 'object', properties: { answer: { type: 'string', description: DESCRIPTION } } };
const ASKED: Readonly<Record<ClientFormat, JsonObject>> = {
  chat: { messages: [QUESTION], response_format: { type: 'json_schema', json_schema: { name: 'answer', schema: LONG_SCHEMA } } },
  messages: { messages: [QUESTION], output_config: { format: { type: 'json_schema', schema: LONG_SCHEMA } } },
  responses: { input: [QUESTION], text: { format: { type: 'json_schema', name: 'answer', schema: LONG_SCHEMA } } },
};
const CASES = KINDS.flatMap((kind) => (['schema', 'object'] as const).map((jsonSchema) => [kind, jsonSchema] as const));

describe.each(CASES)('the schema of a reply (upstream of kind %s, json_schema: %s)', (kind, jsonSchema) => {
  let other: UpstreamWorld;
  beforeAll(async () => {
    other = await UpstreamWorld.start([{ kind, options: { jsonSchema } }], {}, { estimator: new LinearTokenEstimator() });
  });
  afterAll(() => other.close());

  it.each(CLIENT_FORMATS.flatMap((format) => DELIVERIES.map((stream) => [format, stream] as const)))('is included in the estimate if it is sent (%s, streamed: %p)', async (format, stream) => {
    other.upstream().script('u0', replies({ text: '{}', usagePlace: 'nowhere' }));
    await other.ask(format, { ...ASKED[format], stream });
    const isSent = other.upstream().requests.at(-1)?.rawBody.includes(DESCRIPTION);
    const { prompt_tokens: prompt } = (await other.usage())[0]?.usage ?? {};
    expect([isSent, Number(prompt) > 15_000, Number(prompt) < 100]).toEqual([jsonSchema === 'schema', jsonSchema === 'schema', jsonSchema === 'object']);
  });

  it.each([['/v1/messages/count_tokens', 'messages'], ['/v1/responses/input_tokens', 'responses']] as const)('is counted by %s if it is sent', async (path, format) => {
    const reply = await other.gateway.post(path, { model: 'u0', ...ASKED[format] });
    const { input_tokens: counted } = await reply.json() as { readonly input_tokens: number };
    expect([counted > 15_000, counted < 100]).toEqual([jsonSchema === 'schema', jsonSchema === 'object']);
  });
});
