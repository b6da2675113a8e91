import { LinearTokenEstimator } from '@tollgate/adapters-upstream';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { outputTokensOf, tokenCount } from '@tollgate/core';
import { type Behaviour, chatChunk, replies, sendsRaw, wantsStream } from '@tollgate/testkit';
import { FORMAT_PAIRS } from '../support/client-formats.js';
import { ReplyBench } from '../support/reply-bench.js';

const WORDS = 'word '.repeat(400);
const usage = (completion: number) => ({ prompt_tokens: 12, completion_tokens: completion, total_tokens: 12 + completion });
/** The upstream writes a reply at once, so the gateway gets it in one read. */
const AT_ONCE = { splitAt: [] };
const LARGE = { contextWindowTokens: tokenCount(200_000), maxOutputTokens: tokenCount(4_000), reasoning: true };
const MODELS = { obeying: LARGE, unruly: { ...LARGE, enforcesMaxTokens: false } };

describe.each(FORMAT_PAIRS)('a reply longer than allowed, for a client of the %s format from an upstream of kind %s,', (_name, kind, client) => {
  let bench: ReplyBench;

  beforeAll(async () => {
    bench = await ReplyBench.start({ client, kind, models: MODELS });
  });
  afterAll(() => bench.close());

  const charged = async (): Promise<readonly unknown[]> => {
    const { usage: used, reason } = await bench.record();
    return [reason, used.source, outputTokensOf(used)];
  };

  it.each([['whole', false], ['as one large event', true]])('is clipped to the maximum if it arrives %s and the upstream reports more tokens', async (_how, stream) => {
    bench.upstream.script('obeying', replies({ text: [WORDS], usage: usage(530) }, AT_ONCE));
    const { text, stop, tokens } = await bench.ask('obeying', { stream, maximum: 50 });
    expect([WORDS.startsWith(text), text.length > 150, text.length < 300]).toEqual([true, true, true]);
    expect([stop, tokens.output]).toEqual([client.stops['max-tokens'], 50]);
    expect(await charged()).toEqual(['completed', 'counted', 50]);
  });

  it.each<readonly [how: string, model: 'obeying' | 'unruly', stream: boolean, bound: number]>([
    ['whole', 'obeying', false, 4 * 50 + 1_024], ['as one large event', 'obeying', true, 4 * 50 + 1_024],
    ['whole', 'unruly', false, 1.5 * 50 + 64], ['as one large event', 'unruly', true, 1.5 * 50 + 64],
  ])('is clipped only far beyond the maximum if no usage is reported (%s, from an %s model)', async (_how, ...[model, stream, bound]) => {
    const text = 'word '.repeat(9_000);
    bench.upstream.script(model, replies({ text: [text], usagePlace: 'nowhere', usage: {} }));
    const reply = await bench.ask(model, { stream, maximum: 50 });
    const counter = new LinearTokenEstimator().startCounter();
    counter.add(reply.text);
    expect([text.startsWith(reply.text), Math.abs(counter.tokens - bound) <= 1]).toEqual([true, true]);
    expect([reply.stop, reply.tokens.output]).toEqual([client.stops['max-tokens'], 50]);
    expect(await charged()).toEqual(['completed', 'counted', 50]);
  });

  it.each([['whole', false], ['streamed', true]])('is delivered completely, %s, if only the gateway’s own count exceeds the maximum', async (_how, stream) => {
    const pieces = Array.from({ length: 200 }, () => '_'.repeat(16));
    bench.upstream.script('obeying', replies({ text: pieces, usage: usage(200) }));
    const { text, stop, tokens } = await bench.ask('obeying', { stream, maximum: 200 });
    expect([text.length, stop, tokens.output]).toEqual([3_200, client.stops.end, 200]);
    expect(await charged()).toEqual(['completed', 'reported', 200]);
  });

  it('is accepted if the upstream reports the maximum, whatever the gateway counts', async () => {
    const text = '_'.repeat(40_000);
    bench.upstream.script('obeying', replies({ text, usage: usage(2_500) }));
    const reply = await bench.ask('obeying', { stream: false, maximum: 2_500 });
    expect([reply.text.length, reply.stop, reply.tokens.output]).toEqual([40_000, client.stops.end, 2_500]);
    expect(await charged()).toEqual(['completed', 'reported', 2_500]);
  });

  it.each([[102, 'reported'], [103, 'counted']] as const)('of %d tokens with a maximum of 100 is charged as 100 tokens (usage source: %s)', async (output, source) => {
    bench.upstream.script('obeying', replies({ text: [WORDS], usage: usage(output) }));
    expect((await bench.ask('obeying', { stream: true, maximum: 100 })).tokens.output).toBe(100);
    expect(await charged()).toEqual(['completed', source, 100]);
  });
});

/** An upstream that streams a long text, one token per piece, and reports the usage so far with each piece. */
const reportsAsItGoes = (kind: 'openai' | 'anthropic' | 'responses'): Behaviour => (request) => {
  const frame = (data: object): string => `data: ${JSON.stringify(data)}\n\n`;
  const pieces = Array.from({ length: 400 }, (_, position) => {
    if (kind === 'openai') return frame({ ...chatChunk('obeying', { content: 'word ' }), usage: usage(position + 1) });
    if (kind === 'anthropic') {
      return frame({ type: 'content_block_delta', index: 0, delta: { type: 'text_delta', text: 'word ' } })
        + frame({ type: 'message_delta', delta: {}, usage: { output_tokens: position + 1 } });
    }
    return frame({ type: 'response.output_text.delta', output_index: 0, delta: 'word ' })
      + frame({ type: 'response.in_progress', response: { usage: { input_tokens: 12, output_tokens: position + 1, total_tokens: 13 + position } } });
  });
  const opening = {
    openai: [],
    anthropic: [frame({ type: 'message_start', message: { usage: { input_tokens: 12 } } }), frame({ type: 'content_block_start', index: 0, content_block: { type: 'text', text: '' } })],
    responses: [frame({ type: 'response.output_item.added', output_index: 0, item: { type: 'message' } })],
  }[kind];
  expect(wantsStream(request)).toBe(true);
  return [...sendsRaw([...opening, ...pieces])(request).slice(0, -1), { type: 'hang' }];
};

describe.each(FORMAT_PAIRS)('a stream that reports usage with each piece, for a client of the %s format from an upstream of kind %s,', (_name, kind, client) => {
  it('ends when the reported usage exceeds the maximum, and is charged as the maximum', async () => {
    const bench = await ReplyBench.start({ client, kind, models: MODELS });
    bench.upstream.script('obeying', reportsAsItGoes(kind));
    const { text, stop, tokens } = await bench.ask('obeying', { stream: true, maximum: 100 });
    expect([text, stop, tokens.output]).toEqual(['word '.repeat(101), client.stops['max-tokens'], 100]);
    const { usage: used } = await bench.record();
    expect([used.source, outputTokensOf(used)]).toEqual(['reported', 100]);
    expect(await bench.upstream.requests[0]?.ended).toBe('aborted');
    await bench.close();
  });
});
