import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { type ModelSlug, outputTokensOf, tokenCount } from '@tollgate/core';
import { Gate, replies } from '@tollgate/testkit';
import { eventually } from '../../src/test-support/test-client.js';
import { FORMAT_PAIRS } from '../support/client-formats.js';
import { ReplyBench } from '../support/reply-bench.js';

const LIMIT_MILLISECONDS = 60_000;
const LARGE = { contextWindowTokens: tokenCount(200_000), maxOutputTokens: tokenCount(32_000), reasoning: true };
const TEXT = ['Once upon a time ', 'there was a ', 'model that never came to its end.'];
const CAME = TEXT.slice(0, 2).join('');
/** Number of frames that each upstream sends before the first piece of text. */
const OPENING_FRAMES = { openai: 1, anthropic: 3, responses: 3 };

describe.each(FORMAT_PAIRS)('a generation that exceeds its timeout, for a client of the %s format from an upstream of kind %s,', (_name, kind, client) => {
  let bench: ReplyBench;

  beforeEach(async () => {
    bench = await ReplyBench.start({
      client, kind, settings: { earlyHeadersMilliseconds: null },
      models: { slow: LARGE, backed: { ...LARGE, fallbacks: ['steady' as ModelSlug] }, steady: LARGE },
      timeouts: { wholeMilliseconds: LIMIT_MILLISECONDS, silenceMilliseconds: 10 * LIMIT_MILLISECONDS, firstByteMilliseconds: 10 * LIMIT_MILLISECONDS, firstOutputMilliseconds: 10 * LIMIT_MILLISECONDS },
    });
  });
  afterEach(() => bench.close());

  const available = async (): Promise<unknown> => (await (await bench.gateway.fetch('/v1/account')).json() as { balance: unknown }).balance;

  it('ends a stream as if the model had reached its maximum, with the receipt', async () => {
    bench.upstream.script('slow', replies({ text: TEXT }, { pauses: [{ before: OPENING_FRAMES[kind] + 2, gate: new Gate() }] }));
    const body = (await bench.send('slow', { stream: true, maximum: 20_000 })).text();
    await eventually(() => bench.outputReceived === CAME.length);
    await bench.clock.advanceAsync(LIMIT_MILLISECONDS);
    const { text, stop, tokens } = client.readStream(await body);
    expect([text, stop]).toEqual([CAME, client.stops['max-tokens']]);
    expect(await body).toContain('svc_tokens_debited');
    const { reason, usage, charge } = await bench.record();
    expect([reason, usage.source, outputTokensOf(usage), charge.amount.isZero()]).toEqual(['time_limit_reached', 'counted', tokens.output, false]);
    expect(await bench.upstream.requests[0]?.ended).toBe('aborted');
  });

  it('delivers and charges the output so far if the reply is whole', async () => {
    bench.upstream.script('slow', replies({ text: TEXT }, { pauses: [{ before: OPENING_FRAMES[kind] + 2, gate: new Gate() }] }));
    const sent = bench.send('slow', { stream: false, maximum: 20_000 });
    await eventually(() => bench.outputReceived === CAME.length);
    await bench.clock.advanceAsync(LIMIT_MILLISECONDS);
    const response = await sent;
    const { text, stop, tokens } = client.readWhole(await response.text());
    expect([response.status, text, stop]).toEqual([200, CAME, client.stops['max-tokens']]);
    expect(Number(response.headers.get('x-svc-tokens-debited'))).toBeGreaterThan(0);
    const { reason, usage } = await bench.record();
    expect([reason, outputTokensOf(usage)]).toEqual(['time_limit_reached', tokens.output]);
  });

  it('delivers the output so far if the reply is whole, even if a fallback is left', async () => {
    bench.upstream.script('backed', replies({ text: TEXT }, { pauses: [{ before: OPENING_FRAMES[kind] + 2, gate: new Gate() }] }));
    const sent = bench.send('backed', { stream: false, maximum: 20_000 });
    await eventually(() => bench.outputReceived === CAME.length);
    await bench.clock.advanceAsync(LIMIT_MILLISECONDS);
    const response = await sent;
    expect([response.headers.get('x-svc-model'), client.readWhole(await response.text()).text]).toEqual(['backed', CAME]);
  });

  it.each([true, false])('cuts off a call within its arguments, so that no agent runs it (stream: %s)', async (stream) => {
    const call = { id: 'call_1', name: 'look', arguments: ['{"place":', '"here"}'] };
    bench.upstream.script('slow', replies({ toolCalls: [call] }, { pauses: [{ before: OPENING_FRAMES[kind] + (kind === 'openai' ? 2 : 1), gate: new Gate() }] }));
    const sent = bench.send('slow', { stream, maximum: 20_000 });
    await eventually(() => bench.outputReceived === 'look{"place":'.length);
    await bench.clock.advanceAsync(LIMIT_MILLISECONDS);
    const body = await (await sent).text();
    const { calls, stop } = stream ? client.readStream(body) : client.readWhole(body);
    expect([calls.map(({ name }) => name), stop]).toEqual([['look'], client.stops['max-tokens']]);
    expect(body).not.toContain('"status":"completed"');
    expect((await bench.record()).reason).toBe('time_limit_reached');
  });

  it.each([true, false])('is served by a fallback if there was no output; without a fallback, the client gets a 503 and pays nothing (stream: %s)', async (stream) => {
    const before = await available();
    for (const model of ['slow', 'backed']) bench.upstream.script(model, replies({ text: TEXT }, { pauses: [{ before: 0, gate: new Gate() }] }));
    const sent = bench.send('slow', { stream, maximum: 20_000 });
    await bench.upstream.request(0);
    await bench.clock.advanceAsync(LIMIT_MILLISECONDS);
    expect((await sent).status).toBe(503);
    expect(await available()).toEqual(before);
    const backed = bench.send('backed', { stream, maximum: 20_000 });
    await bench.upstream.request(1);
    await bench.clock.advanceAsync(LIMIT_MILLISECONDS);
    const response = await backed;
    const body = await response.text();
    const { text } = stream ? client.readStream(body) : client.readWhole(body);
    expect([response.status, text]).toEqual([200, 'Hello from steady.']);
  });
});
