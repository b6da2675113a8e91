import { afterAll, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import { NO_PROMPT_PARTS, PROMPT_COUNTS, type ReportedUsage } from '@tollgate/core';
import { checkResponsesStream, endStep, textSteps } from '@tollgate/testkit';
import { startTestGateway, type TestGateway } from '../src/test-support/start-test-gateway.js';

const REQUEST = { model: 'small', max_tokens: 50, messages: [{ role: 'user', content: 'Hi there!' }], input: 'Hi there!' };
/** 9 prompt tokens: 2 read from the cache, 4 written to it, and 3 others. */
const USAGE = { ...NO_PROMPT_PARTS, promptTokens: 9, cachedPromptTokens: 2, cacheCreationTokens: 4, outputTokens: 3, reasoningTokens: 0, totalTokens: null };

let gateway: TestGateway;

beforeAll(async () => {
  gateway = await startTestGateway();
});
afterAll(() => gateway.close());

function report(usage: ReportedUsage): void {
  gateway.provider.script('small', { steps: [...textSteps('Hello'), endStep(usage)] });
}

async function recordedUsage(reply: Response): Promise<unknown> {
  const record = await gateway.fetch(`/v1/usage/${reply.headers.get('x-request-id')}`);
  return ((await record.json()) as { readonly usage: unknown }).usage;
}

it.each(PROMPT_COUNTS.filter(({ name }) => name !== 'uncached_prompt'))('prompt tokens that an upstream reports as $name are a separate class in the usage record', async ({ name, field }) => {
  report({ ...USAGE, ...NO_PROMPT_PARTS, [field]: 4 });
  const counts = Object.fromEntries(PROMPT_COUNTS.map((count) => [`${count.name}_tokens`, 0]));
  const reply = await gateway.post('/v1/chat/completions', REQUEST);
  expect(await recordedUsage(reply)).toMatchObject({ ...counts, prompt_tokens: 9, uncached_prompt_tokens: 5, [`${name}_tokens`]: 4, output_tokens: 3, total_tokens: 12 });
});

describe('prompt tokens that an upstream writes into its cache', () => {
  beforeEach(() => report(USAGE));

  const shown = { input_tokens: 7, cache_creation_input_tokens: 0, cache_read_input_tokens: 2, output_tokens: 3 };
  const recorded = { prompt_tokens: 9, ...Object.fromEntries(PROMPT_COUNTS.map(({ name }) => [`${name}_tokens`, 0])), uncached_prompt_tokens: 3, cached_prompt_tokens: 2, cache_creation_tokens: 4, output_tokens: 3, reasoning_tokens: 0, reasoning_withheld: false, reasoning_omitted: false, settings_omitted: [], total_tokens: 12 };

  it('count as input tokens in a whole reply, and as a separate class in the usage record', async () => {
    const reply = await gateway.post('/v1/messages', REQUEST);
    expect(((await reply.json()) as { readonly usage: unknown }).usage).toMatchObject(shown);
    expect(await recordedUsage(reply)).toEqual(recorded);
  });

  it('count as input tokens in a stream, and as a separate class in the usage record', async () => {
    const reply = await gateway.post('/v1/messages', { ...REQUEST, stream: true });
    const delta = /event: message_delta\ndata: (.*)/.exec(await reply.text())?.[1] ?? '{}';
    expect((JSON.parse(delta) as { readonly usage: unknown }).usage).toMatchObject(shown);
    expect(await recordedUsage(reply)).toEqual(recorded);
  });

  it.each([false, true])('are listed next to cached tokens in a response (streamed: %s)', async (stream) => {
    const reply = await gateway.post('/v1/responses', { ...REQUEST, stream });
    const usage = { input_tokens: 9, input_tokens_details: { cached_tokens: 2, cache_write_tokens: 4 }, output_tokens: 3, total_tokens: 12 };
    const text = await reply.text();
    expect((stream ? checkResponsesStream(text).response : JSON.parse(text)) as unknown).toMatchObject({ usage });
    expect(await recordedUsage(reply)).toEqual(recorded);
  });
});
