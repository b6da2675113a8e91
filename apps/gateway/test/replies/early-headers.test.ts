import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { type JsonObject, type ModelSlug, tokenCount } from '@tollgate/core';
import { breaksAfter, Gate, replies } from '@tollgate/testkit';
import { eventually } from '../../src/test-support/test-client.js';
import { FORMAT_PAIRS } from '../support/client-formats.js';
import { ReplyBench } from '../support/reply-bench.js';

const LARGE = { contextWindowTokens: tokenCount(200_000), maxOutputTokens: tokenCount(32_000), reasoning: true };
const MODELS = { lonely: LARGE, backed: { ...LARGE, fallbacks: ['steady' as ModelSlug] }, steady: LARGE };
/** The beginning of a stream that has no output yet, by format. */
const BEGINS = { chat: '"role":"assistant"', messages: 'message_start', responses: 'response.created' };
const ALIVE = { chat: ': keep-alive', messages: 'event: ping', responses: 'response.in_progress' };

/** Messages about an overflow of the context that clients recover from, by format. */
const TOO_LONG = {
  chat: /maximum context length is \d+ tokens/,
  messages: /^(?:prompt is too long: \d+ tokens > \d+ maximum|input length and `max_tokens` exceed context limit: \d+ \+ \d+ > \d+)$/,
  responses: /maximum context length is \d+ tokens/,
};

describe.each(FORMAT_PAIRS)('the headers of a silent stream, for a client of the %s format from an upstream of kind %s,', (_name, kind, client) => {
  let bench: ReplyBench;

  beforeEach(async () => {
    bench = await ReplyBench.start({ client, kind, models: MODELS });
  });
  afterEach(() => bench.close());

  /** Sends a request, and collects its stream. */
  function start(model: string, headers: Readonly<Record<string, string>> = {}) {
    const seen = { status: 0, body: '', ended: false, quota: null as string | null };
    const controller = new AbortController();
    const done = (async () => {
      const response = await bench.send(model, { stream: true, maximum: 20_000, headers, signal: controller.signal });
      seen.status = response.status;
      seen.quota = response.headers.get('x-ratelimit-limit-requests');
      const decoder = new TextDecoder();
      for await (const chunk of response.body ?? []) seen.body += decoder.decode(chunk, { stream: true });
      seen.ended = true;
    })().catch(() => undefined);
    return { seen, done, leave: () => controller.abort() };
  }

  /** An upstream that sends its headers, and no output until the gate opens. */
  const silent = (gate: Gate, text = ['Here ', 'it is.']) => replies({ text }, { pauses: [{ before: 0, gate }] });
  /** Resolves when the upstream has sent its headers to this many requests. */
  const accepted = async (count = 1): Promise<void> => {
    await bench.upstream.request(count - 1);
    await eventually(() => bench.accepted === count);
  };
  const available = async (): Promise<unknown> => (await (await bench.gateway.fetch('/v1/account')).json() as { balance: unknown }).balance;

  it('are sent after 15 seconds with the first event; keep-alives follow, then the reply with its receipt', async () => {
    const gate = new Gate();
    bench.upstream.script('lonely', silent(gate));
    const { seen, done } = start('lonely');
    await accepted();
    await bench.clock.advanceAsync(14_999);
    expect(seen.status).toBe(0);
    await bench.clock.advanceAsync(1);
    await eventually(() => seen.body.includes(BEGINS[client.name]));
    expect([seen.status, seen.quota === null]).toEqual([200, false]);
    const before = seen.body.length;
    await bench.clock.advanceAsync(10_000);
    await eventually(() => seen.body.slice(before).includes(ALIVE[client.name]));
    gate.open();
    await done;
    const { text, stop } = client.readStream(seen.body);
    expect([text, stop]).toEqual(['Here it is.', client.stops.end]);
    expect(seen.body).toContain('svc_tokens_debited');
    const { reason, firstOutputAt, startedAt } = await bench.record();
    expect([reason, firstOutputAt === null ? null : firstOutputAt - startedAt]).toEqual(['completed', 25_000]);
  });

  it('wait three times as long while there is another candidate; if the first candidate fails meanwhile, the other serves', async () => {
    const gate = new Gate();
    bench.upstream.script('backed', (request) => [...silent(gate)(request).slice(0, 2), { type: 'close' }]);
    const { seen, done } = start('backed');
    await accepted();
    await bench.clock.advanceAsync(44_999);
    expect(seen.status).toBe(0);
    gate.open();
    await done;
    expect(client.readStream(seen.body).text).toBe('Hello from steady.');
  });

  it('rule out a fallback: if the candidate then ends without output, the client gets an error frame and pays nothing', async () => {
    const before = await available();
    const gate = new Gate();
    bench.upstream.script('backed', (request) => [...silent(gate)(request).slice(0, 2), { type: 'close' }]);
    const first = start('backed', { 'idempotency-key': 'once' });
    await accepted();
    await bench.clock.advanceAsync(45_000);
    await eventually(() => first.seen.body.includes(BEGINS[client.name]));
    gate.open();
    await first.done;
    expect(first.seen.ended).toBe(true);
    expect(client.errorOf(first.seen.body)).toMatchObject({ code: 'provider_unavailable' });
    expect(first.seen.body).not.toContain('svc_tokens_debited');
    expect(await available()).toEqual(before);
    const { reason, charge, usage } = await bench.record();
    expect([reason, charge.amount.toString(), usage.visibleOutputTokens]).toEqual(['provider_unavailable', '0', 0]);
    expect(bench.upstream.requests.map(({ body }) => body['model'])).toEqual(['backed']);
    // The key, the tokens of the minute and the slot are free again.
    const again = start('backed', { 'idempotency-key': 'once' });
    await again.done;
    expect([again.seen.status, client.readStream(again.seen.body).text]).toEqual([200, 'Hello from backed.']);
  });

  it('make a client that disconnects before any output pay for its prompt', async () => {
    bench.upstream.script('lonely', silent(new Gate()));
    const { seen, done, leave } = start('lonely');
    await accepted();
    await bench.clock.advanceAsync(15_000);
    await eventually(() => seen.body.includes(BEGINS[client.name]));
    leave();
    await done;
    expect(await bench.upstream.requests[0]?.ended).toBe('aborted');
    await eventually(() => bench.isIdle);
    const { reason, usage } = await bench.record();
    expect([reason, usage.visibleOutputTokens, usage.uncachedPromptTokens > 0]).toEqual(['client_left', 0, true]);
  });

  it('are not sent if the server does not answer with an event stream', async () => {
    const gate = new Gate();
    bench.upstream.script('lonely', (request) => {
      const [head, ...rest] = replies({ text: 'Whole.' })({ ...request, body: { ...request.body, stream: false } });
      return head === undefined ? [] : [head, { type: 'wait', gate }, ...rest];
    });
    const { seen, done } = start('lonely');
    await accepted();
    await bench.clock.advanceAsync(20_000);
    expect(seen.status).toBe(0);
    gate.open();
    await done;
    expect(client.readStream(seen.body).text).toBe('Whole.');
  });

  /** Lets the upstream send an error instead of output, after its headers; returns the client's stream. */
  async function failsLate(error: JsonObject): Promise<string> {
    const gate = new Gate();
    bench.upstream.script('lonely', (request) => {
      const [head, ...rest] = breaksAfter(0, { error })(request);
      return head === undefined ? [] : [head, { type: 'wait', gate }, ...rest];
    });
    const { seen, done } = start('lonely');
    await accepted();
    await bench.clock.advanceAsync(15_000);
    await eventually(() => seen.body.includes(BEGINS[client.name]));
    gate.open();
    await done;
    return seen.body;
  }

  it('are followed by the error that the upstream sends instead of output', async () => {
    expect(client.errorOf(await failsLate({ message: 'out of memory' }))).toMatchObject({ code: 'provider_unavailable' });
    expect((await bench.record()).charge.amount.toString()).toBe('0');
  });

  it('are followed by the format’s code and message if the upstream finds the context too long', async () => {
    const body = await failsLate({ message: 'Your input is too long.', type: 'invalid_request_error', code: 'context_length_exceeded' });
    expect(client.errorOf(body)).toMatchObject({ code: 'context_length_exceeded', message: expect.stringMatching(TOO_LONG[client.name]) });
    // In the responses format, some clients read only the frame that ends the stream.
    expect(body.slice(body.lastIndexOf('data: {'))).toContain('"code":"context_length_exceeded"');
    const { reason, charge } = await bench.record();
    expect([reason, charge.amount.toString()]).toEqual(['request_rejected', '0']);
  });

  it('rule out a fallback for an empty reply too', async () => {
    const gate = new Gate();
    bench.upstream.script('backed', replies({ text: '', usage: { prompt_tokens: 12, completion_tokens: 0, total_tokens: 12 } }, { pauses: [{ before: 0, gate }] }));
    const { seen, done } = start('backed');
    await accepted();
    await bench.clock.advanceAsync(45_000);
    await eventually(() => seen.body.includes(BEGINS[client.name]));
    gate.open();
    await done;
    const { text, stop, tokens } = client.readStream(seen.body);
    expect([text, stop, tokens]).toEqual(['', client.stops.end, { prompt: 12, cached: 0, output: 0 }]);
    const { reason, usage } = await bench.record();
    expect([reason, usage.source]).toEqual(['empty', 'reported']);
  });
});

describe.each(FORMAT_PAIRS.slice(0, 1))('EARLY_HEADERS_SECONDS=0', (_name, kind, client) => {
  it('sends the headers together with the first output', async () => {
    const bench = await ReplyBench.start({ client, kind, models: MODELS, settings: { earlyHeadersMilliseconds: null } });
    const gate = new Gate();
    bench.upstream.script('lonely', replies({ text: 'Late.' }, { pauses: [{ before: 0, gate }] }));
    let status = 0;
    const sent = bench.send('lonely', { stream: true, maximum: 100 }).then((response) => {
      ({ status } = response);
      return response.text();
    });
    await eventually(() => bench.accepted === 1);
    await bench.clock.advanceAsync(50_000);
    expect(status).toBe(0);
    gate.open();
    expect(client.readStream(await sent).text).toBe('Late.');
    await bench.close();
  });
});
