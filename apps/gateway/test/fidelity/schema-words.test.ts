import { afterAll, beforeAll, expect, it } from '@jest/globals';
import { LinearTokenEstimator } from '@tollgate/adapters-upstream';
import type { JsonObject } from '@tollgate/core';
import { replies } from '@tollgate/testkit';
import { type ClientFormat, UpstreamWorld } from '../support/upstream-world.js';

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
])('the description of a schema is paid for as the prompt that a server makes of it, for a client of the %s format', async (format, body) => {
  world.upstream().script('u0', replies({ text: '{}', usage: { prompt_tokens: 18_000, completion_tokens: 2, total_tokens: 18_002 } }));
  await world.ask(format, body);
  expect(world.upstream().requests.at(-1)?.rawBody).toContain(DESCRIPTION);
  expect((await world.usage())[0]).toMatchObject({ usage_source: 'reported', usage: { prompt_tokens: 18_000 } });
});
