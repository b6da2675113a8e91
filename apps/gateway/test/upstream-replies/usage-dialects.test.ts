import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import type { JsonObject } from '@tollgate/core';
import { replies } from '@tollgate/testkit';
import { CHAT } from '../acceptance/support/formats.js';
import { type Kind, PATHS, ReplyWorld } from './support/reply-world.js';

let world: ReplyWorld;

beforeAll(async () => {
  world = await ReplyWorld.start();
});
afterAll(() => world.close());

/** The same usage in the field names of this kind of upstream, which must be one that states a total. */
function wordedFor(kind: Kind, usage: JsonObject): JsonObject {
  if (kind === 'openai') return usage;
  const { prompt_tokens: input_tokens, completion_tokens: output_tokens, total_tokens, prompt_tokens_details: input_tokens_details, completion_tokens_details: output_tokens_details } = usage;
  return JSON.parse(JSON.stringify({ input_tokens, output_tokens, total_tokens, input_tokens_details, output_tokens_details })) as JsonObject;
}

const STATING_TOTALS = PATHS.filter(([, , kind]) => kind !== 'anthropic');

describe.each(STATING_TOTALS)('a %s client, %s, over an upstream of kind %s,', (_client, delivery, ...[kind, format]) => {
  it.each<[string, JsonObject, JsonObject]>([
    ['reasoning tokens in addition to the output', { prompt_tokens: 13, completion_tokens: 10, total_tokens: 2_823, completion_tokens_details: { reasoning_tokens: 2_800 } },
      { uncachedPromptTokens: 13, reasoningTokens: 2_800, visibleOutputTokens: 10 }],
    ['tokens written to its cache', { prompt_tokens: 100, completion_tokens: 10, total_tokens: 110, prompt_tokens_details: { cached_tokens: 20, cache_write_tokens: 70 } },
      { uncachedPromptTokens: 10, cachedPromptTokens: 20, cacheCreationTokens: 70, visibleOutputTokens: 10 }],
    ['cached tokens in addition to the prompt', { prompt_tokens: 5, completion_tokens: 10, total_tokens: 105, prompt_tokens_details: { cached_tokens: 90 } },
      { uncachedPromptTokens: 5, cachedPromptTokens: 90, cacheCreationTokens: 0, visibleOutputTokens: 10 }],
    ['cached and reasoning tokens in addition to prompt and output', { prompt_tokens: 5, completion_tokens: 10, total_tokens: 405, prompt_tokens_details: { cached_tokens: 90 }, completion_tokens_details: { reasoning_tokens: 300 } },
      { uncachedPromptTokens: 5, cachedPromptTokens: 90, reasoningTokens: 300, visibleOutputTokens: 10 }],
  ])('is charged for each token class if the upstream reports %s', async (_what, ...[usage, recorded]) => {
    world.script(`lonely-${kind}`, replies({ text: 'Once upon a time', usage: wordedFor(kind, usage) }));
    const answer = await world.ask(format, delivery, `lonely-${kind}`, { max_tokens: 4_000 });
    expect(answer).toMatchObject({ status: 200, record: { reason: 'completed', usage: { ...recorded, source: 'reported' } } });
  });

  it('is charged the excess of the reported total over prompt and output as reasoning tokens, if the model reasons', async () => {
    world.script(`thinking-${kind}`, replies({ text: 'Once', usage: wordedFor(kind, { prompt_tokens: 20, completion_tokens: 198, total_tokens: 623 }) }));
    const answer = await world.ask(format, delivery, `thinking-${kind}`, { max_tokens: 4_000 });
    expect(answer).toMatchObject({ status: 200, record: { usage: { uncachedPromptTokens: 20, reasoningTokens: 405, visibleOutputTokens: 198, source: 'reported' } } });
  });
});

it('implausible usage causes at most one warning an hour for each model, with the number of cases, and is counted in a metric', async () => {
  const lines = () => world.lines.filter(({ msg }) => (msg as string).includes('implausible usage'));
  const disbelieve = async (model: string): Promise<void> => {
    world.script(model, replies({ text: 'Once', usage: { prompt_tokens: 20, completion_tokens: 198, total_tokens: 217 } }));
    expect(await world.ask(CHAT, 'whole', model, { max_tokens: 4_000 })).toMatchObject({ status: 200, record: { usage: { source: 'counted' } } });
  };
  for (let count = 0; count < 3; count += 1) await disbelieve('lonely-openai');
  await disbelieve('thinking-openai');
  world.clock.advance(3_600_000);
  await disbelieve('lonely-openai');
  expect(lines().map(({ level, upstream, model, upstreamModel, count }) => [level, upstream, model, upstreamModel, count])).toEqual([
    [40, 'openai', 'lonely-openai', 'up-lonely-openai', 1], [40, 'openai', 'thinking-openai', 'up-thinking-openai', 1], [40, 'openai', 'lonely-openai', 'up-lonely-openai', 3],
  ]);
  expect(lines()[0]).toMatchObject({ reported: { promptTokens: 20, outputTokens: 198, totalTokens: 217 }, charged: { promptTokens: expect.any(Number), outputTokens: expect.any(Number) } });
  expect(await world.samplesOf('tollgate_usage_disbelieved_total{')).toEqual([
    'tollgate_usage_disbelieved_total{model="lonely-openai",upstream="openai"} 4', 'tollgate_usage_disbelieved_total{model="thinking-openai",upstream="openai"} 1',
  ]);
});

it('usage that an upstream does not report causes no warning', async () => {
  world.lines.length = 0;
  world.script('lonely-openai', replies({ text: 'Once', usagePlace: 'nowhere' }));
  expect(await world.ask(CHAT, 'whole', 'lonely-openai')).toMatchObject({ record: { usage: { source: 'counted' } } });
  expect(world.lines.filter(({ msg }) => (msg as string).includes('usage'))).toEqual([]);
});
