import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { type ErrorCode, instant, type JsonObject, type UsageRecord } from '@tollgate/core';
import { MANUAL_CLOCK_START, ManualClock } from '@tollgate/adapters-memory';
import { Gate, OneTokenPerCharacter, replies } from '@tollgate/testkit';
import type { TestCaller } from '../../src/test-support/start-test-gateway.js';
import { AcceptanceWorld } from './support/acceptance-world.js';
import { bodyOfEveryFormat, COUNTING_PATHS, type Format, FORMATS } from './support/formats.js';
import { AMPLE_PLAN, catalogueFile, modelEntry, scriptedEntry } from './support/scripted-catalogue.js';

/** Counts as 50 tokens; with `OUTPUT_TOKENS`, a request reserves 250. */
const PROMPT = 'x'.repeat(50);
const OUTPUT_TOKENS = 200;
/** 50 estimated prompt tokens and 150 output tokens. */
const USAGE: JsonObject = { prompt_tokens: 50, completion_tokens: 150, total_tokens: 200 };

const PLANS: JsonObject = {
  'sixty-requests': { ...AMPLE_PLAN, requests_per_minute: 60 },
  'thousand-tokens': { ...AMPLE_PLAN, tokens_per_minute: 1100 },
  'two-slots': { ...AMPLE_PLAN, concurrent_requests: 2 },
  'daily-cap': { ...AMPLE_PLAN, tokens_per_day: 600 },
  'monthly-cap': { ...AMPLE_PLAN, tokens_per_month: 600 },
};

const SECOND = 1000;
const HOUR = 3600 * SECOND;
const DAY = 24 * HOUR;

let clock: ManualClock;
let world: AcceptanceWorld;
let running: Gate;

beforeEach(async () => {
  clock = new ManualClock();
  running = new Gate();
  world = await AcceptanceWorld.start({
    catalogue: (upstream) => catalogueFile(
      { scripted: scriptedEntry(upstream) }, { quick: modelEntry('quick'), held: modelEntry('held') }, PLANS,
    ),
    services: { clock, estimator: new OneTokenPerCharacter() },
    planId: 'ample',
  });
  world.upstream.always('up-quick', replies({ text: 'Yes.', usage: USAGE }));
  world.upstream.always('up-held', replies({ text: ['Yes', '.'], usage: USAGE }, { pauses: [{ before: 2, gate: running }] }));
});

afterEach(async () => {
  running.open();
  await world.close();
});

interface Asked {
  readonly reply: Response;
  readonly body: { readonly error?: { readonly code: string; readonly type: string; readonly message: string } };
  readonly record: UsageRecord | null;
}

async function ask(format: Format, caller: TestCaller, fields: JsonObject = {}): Promise<Asked> {
  const reply = await world.post(format.path, format.body('quick', PROMPT, { max_tokens: OUTPUT_TOKENS, ...fields }), caller);
  return { reply, body: (await reply.json()) as Asked['body'], record: await world.recordOf(reply, caller) };
}

interface Quota {
  readonly requests: readonly [limit: number, remaining: number];
  readonly tokens: readonly [limit: number, remaining: number];
  readonly reset: string;
}

const HUGE = 1_000_000_000;

/** Values of the five rate-limit headers. */
function quotaOf({ headers }: Response): Quota {
  const count = (name: string): number => Number(headers.get(`x-ratelimit-${name}`));
  return {
    requests: [count('limit-requests'), count('remaining-requests')],
    tokens: [count('limit-tokens'), count('remaining-tokens')],
    reset: headers.get('x-ratelimit-reset-requests') ?? '',
  };
}

interface Refusal {
  readonly code: ErrorCode;
  readonly retryAfter: string;
  readonly quota: Quota;
  readonly worthRetrying?: boolean;
}

function expectRefused(format: Format, { reply, body, record }: Asked, { code, retryAfter, quota, worthRetrying = true }: Refusal): void {
  expect([reply.status, body.error?.code, body.error?.type]).toEqual([429, code, format.errorType(code)]);
  expect(reply.headers.get('retry-after')).toBe(retryAfter);
  expect(reply.headers.get('x-should-retry')).toBe(worthRetrying ? null : 'false');
  expect(quotaOf(reply)).toEqual(quota);
  expect(record).toBeNull();
}

/** State that a refusal must not change. */
async function stateOf(caller: TestCaller): Promise<unknown> {
  return [await world.available(caller), world.usageRecordCount(caller.account.id), world.upstream.requests.length, await world.get('/v1/account', caller)];
}

function formatOf(turn: number): Format {
  const [chat] = FORMATS as [Format];
  return FORMATS[turn % FORMATS.length] ?? chat;
}

describe.each(FORMATS)('in the $name format', (format) => {
  it('the 61st request of a minute is refused until the minute ends', async () => {
    const caller = await world.addCaller({ planId: 'sixty-requests' });
    for (let sent = 1; sent <= 60; sent += 1) {
      if (sent === 31) clock.advance(10_500);
      const { reply } = await ask(format, caller);
      expect(reply.status).toBe(200);
      expect(quotaOf(reply)).toEqual({ requests: [60, 60 - sent], tokens: [HUGE, HUGE - 250 * sent], reset: sent <= 30 ? '60s' : '50s' });
    }
    const before = await stateOf(caller);
    const full = { requests: [60, 0], tokens: [HUGE, HUGE - 15_000] } as const;
    expectRefused(format, await ask(format, caller), { code: 'rate_limit_exceeded', retryAfter: '50', quota: { ...full, reset: '50s' } });
    expect(await stateOf(caller)).toEqual(before);
    // One millisecond before the reset, a request is still refused.
    clock.advance(49_499);
    expectRefused(format, await ask(format, caller), { code: 'rate_limit_exceeded', retryAfter: '1', quota: { ...full, reset: '1s' } });
    clock.advance(1);
    const { reply } = await ask(format, caller);
    expect([reply.status, quotaOf(reply)]).toEqual([200, { requests: [60, 59], tokens: [HUGE, HUGE - 250], reset: '60s' }]);
  });

  it('a request for more tokens than are left in the minute is refused until the reset; a smaller one is served', async () => {
    const caller = await world.addCaller({ planId: 'thousand-tokens' });
    for (let sent = 1; sent <= 4; sent += 1) {
      expect(quotaOf((await ask(format, caller)).reply)).toEqual({ requests: [1_000_000, 1_000_000 - sent], tokens: [1100, 1100 - 250 * sent], reset: '60s' });
    }
    clock.advance(20 * SECOND);
    const before = await stateOf(caller);
    const refusal: Refusal = {
      code: 'tokens_per_minute_exceeded', retryAfter: '40', quota: { requests: [1_000_000, 999_996], tokens: [1100, 100], reset: '40s' },
    };
    expectRefused(format, await ask(format, caller), refusal);
    expectRefused(format, await ask(format, caller, { max_tokens: 51 }), refusal);
    expect(await stateOf(caller)).toEqual(before);
    const { reply } = await ask(format, caller, { max_tokens: 50 });
    expect([reply.status, quotaOf(reply)]).toEqual([200, { requests: [1_000_000, 999_995], tokens: [1100, 0], reset: '40s' }]);
    clock.advance(40 * SECOND);
    expect((await ask(format, caller)).reply.status).toBe(200);
  });

  it('a request for more tokens than the limit per minute is refused with the message that it can never fit', async () => {
    const caller = await world.addCaller({ planId: 'thousand-tokens' });
    const before = await stateOf(caller);
    const asked = await ask(format, caller, { max_tokens: 1051 });
    expectRefused(format, asked, { code: 'tokens_per_minute_exceeded', retryAfter: '60', quota: { requests: [1_000_000, 1_000_000], tokens: [1100, 1100], reset: '0s' }, worthRetrying: false });
    expect(asked.body.error?.message).toContain('can never fit');
    expect(await stateOf(caller)).toEqual(before);
    expect((await ask(format, caller, { max_tokens: 1050 })).reply.status).toBe(200);
  });

  it('a request beyond the concurrency limit is refused with a Retry-After of two seconds, and served once a slot is free', async () => {
    const caller = await world.addCaller({ planId: 'two-slots' });
    const body = format.body('held', PROMPT, { max_tokens: OUTPUT_TOKENS, stream: true });
    const streams = await Promise.all([world.post(format.path, body, caller), world.post(format.path, body, caller)]);
    expect(streams.map(({ status }) => status)).toEqual([200, 200]);
    const before = await stateOf(caller);
    expectRefused(format, await ask(format, caller), {
      code: 'concurrency_limit_exceeded', retryAfter: '2', quota: { requests: [1_000_000, 999_998], tokens: [HUGE, HUGE - 500], reset: '60s' },
    });
    expect(await stateOf(caller)).toEqual(before);
    running.open();
    for (const stream of streams) expect(format.readStream(await stream.text()).text).toBe('Yes.');
    expect((await ask(format, caller)).reply.status).toBe(200);
  });

  it.each([
    // The tests begin on 18 November at noon.
    ['day', 'daily-cap', 'daily_limit_exceeded', MANUAL_CLOCK_START + 12 * HOUR],
    ['month', 'monthly-cap', 'monthly_limit_exceeded', MANUAL_CLOCK_START + 12 * DAY + 12 * HOUR],
  ] as const)('a request beyond the cap of the %s is refused until the period ends in UTC, and clients are told not to retry', async (_, planId, code, end) => {
    const caller = await world.addCaller({ planId });
    // Each request reserves 250 of the 600 tokens and uses 200; the used tokens count.
    expect((await ask(format, caller)).reply.status).toBe(200);
    expect((await ask(format, caller)).reply.status).toBe(200);
    clock.set(instant(MANUAL_CLOCK_START + 90_001));
    const before = await stateOf(caller);
    const seconds = Math.ceil((end - clock.now()) / SECOND);
    const fresh: Quota = { requests: [1_000_000, 1_000_000], tokens: [HUGE, HUGE], reset: '0s' };
    expectRefused(format, await ask(format, caller), { code, retryAfter: `${seconds}`, quota: fresh, worthRetrying: false });
    expect(await stateOf(caller)).toEqual(before);
    // A request that fits in the remaining 200 tokens is served, and uses them up.
    expect((await ask(format, caller, { max_tokens: 150 })).reply.status).toBe(200);
    clock.set(instant(end - 1));
    expectRefused(format, await ask(format, caller, { max_tokens: 1 }), { code, retryAfter: '1', quota: fresh, worthRetrying: false });
    clock.set(instant(end));
    expect((await ask(format, caller)).reply.status).toBe(200);
  });

  it('a request for more tokens than the monthly cap is refused with the message that it can never fit', async () => {
    const caller = await world.addCaller({ planId: 'monthly-cap' });
    const { reply, body } = await ask(format, caller, { max_tokens: 551 });
    expect([reply.status, body.error?.code]).toEqual([429, 'monthly_limit_exceeded']);
    expect(body.error?.message).toContain('can never fit');
  });
});

it('a client that waits for the time in Retry-After is served', async () => {
  const caller = await world.addCaller({ planId: 'sixty-requests' });
  await Promise.all(Array.from({ length: 60 }, (_, turn) => ask(formatOf(turn), caller)));
  clock.advance(12_345);
  const { reply } = await ask(formatOf(60), caller);
  expect(reply.status).toBe(429);
  clock.advance(Number(reply.headers.get('retry-after')) * SECOND);
  expect((await ask(formatOf(61), caller)).reply.status).toBe(200);
});

it('a limit of 60 requests a minute admits exactly 60 of 100 simultaneous requests, whatever their formats', async () => {
  const caller = await world.addCaller({ planId: 'sixty-requests' });
  const asked = await Promise.all(Array.from({ length: 100 }, (_, turn) => ask(formatOf(turn), caller)));
  expect(asked.filter(({ reply }) => reply.status === 200)).toHaveLength(60);
  expect(asked.filter(({ body }) => body.error?.code === 'rate_limit_exceeded')).toHaveLength(40);
  expect(world.upstream.requests).toHaveLength(60);
});

it('the daily cap counts the estimated tokens of running requests', async () => {
  const caller = await world.addCaller({ planId: 'daily-cap' });
  const [chat] = FORMATS as [Format];
  const body = chat.body('held', PROMPT, { max_tokens: OUTPUT_TOKENS, stream: true });
  const streams = await Promise.all([world.post(chat.path, body, caller), world.post(chat.path, body, caller)]);
  const refused = await ask(chat, caller, { max_tokens: 51 });
  expect(refused.body.error?.code).toBe('daily_limit_exceeded');
  running.open();
  for (const stream of streams) chat.readStream(await stream.text());
  expect((await ask(chat, caller, { max_tokens: 150 })).reply.status).toBe(200);
});

it('all formats share the account’s limits, and token counting uses only the request limit', async () => {
  const caller = await world.addCaller({ planId: 'sixty-requests' });
  const [chat] = FORMATS as [Format];
  const count = (turn: number): Promise<Response> => world.post(COUNTING_PATHS[turn % 2] ?? '', { model: 'quick', ...bodyOfEveryFormat(PROMPT, 1) }, caller);
  await Promise.all(Array.from({ length: 20 }, (_, turn) => [ask(FORMATS[turn % 3] ?? chat, caller), ask(FORMATS[(turn + 1) % 3] ?? chat, caller), count(turn)]).flat());
  for (const format of FORMATS) {
    const refused = await world.post(format.path, format.body('quick', PROMPT), caller);
    expect([refused.status, quotaOf(refused)]).toEqual([429, { requests: [60, 0], tokens: [HUGE, HUGE - 40 * 250], reset: '60s' }]);
  }
  for (const turn of COUNTING_PATHS.keys()) {
    const counted = await count(turn);
    expect([counted.status, ((await counted.json()) as Asked['body']).error?.code]).toEqual([429, 'rate_limit_exceeded']);
  }
});
