import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { type IncidentLimit, later, type ModelSlug, SYSTEM_ACTOR, tokenCount } from '@tollgate/core';
import { ManualClock } from '@tollgate/adapters-memory';
import { OneTokenPerCharacter, replies } from '@tollgate/testkit';
import type { TestCaller } from '../../src/test-support/start-test-gateway.js';
import { AcceptanceWorld } from './support/acceptance-world.js';
import { bodyOfEveryFormat, COUNTING_PATHS, type Format, FORMATS } from './support/formats.js';
import { AMPLE_PLAN, catalogueFile, modelEntry, scriptedEntry } from './support/scripted-catalogue.js';

const PLANS = {
  'ten-requests': { ...AMPLE_PLAN, requests_per_minute: 10 },
  'without-quick': { ...AMPLE_PLAN, excluded_models: ['quick'] },
};

let clock: ManualClock;
let world: AcceptanceWorld;
let caller: TestCaller;

beforeEach(async () => {
  clock = new ManualClock();
  world = await AcceptanceWorld.start({
    catalogue: (upstream) => catalogueFile(
      { scripted: scriptedEntry(upstream) }, { quick: modelEntry('quick', { more: { aliases: ['fast-*'] } }), other: modelEntry('other') }, PLANS,
    ),
    services: { clock, estimator: new OneTokenPerCharacter() },
    planId: 'ample',
  });
  for (const model of ['up-quick', 'up-other']) world.upstream.always(model, replies({ text: 'Yes.', usage: { prompt_tokens: 5, completion_tokens: 2, total_tokens: 7 } }));
  caller = await world.addCaller({ planId: 'ten-requests' });
});

afterEach(() => world.close());

/** Sets the limit without the gateway, as another process would. */
async function limitQuick(limits: Partial<IncidentLimit>): Promise<void> {
  const by = { actor: SYSTEM_ACTOR, at: clock.now() };
  const open = { model: 'quick' as ModelSlug, setAt: by.at, requestsPerMinute: null, tokensPerMinute: null, concurrentRequests: null, expiresAt: null };
  await world.auditor.controls.setIncidentLimit({ ...open, ...limits }, by);
}

interface Asked { readonly status: number; readonly message: string | null; readonly headers: Headers }

async function ask(format: Format, model: string, by = caller): Promise<Asked> {
  const reply = await world.post(format.path, format.body(model, 'x'.repeat(5), { max_tokens: 10 }), by);
  const body = (await reply.json()) as { readonly error?: { readonly message: string } };
  return { status: reply.status, message: body.error?.message ?? null, headers: reply.headers };
}

function requestsOf({ headers }: Asked): readonly [limit: string | null, remaining: string | null, reset: string | null] {
  return [headers.get('x-ratelimit-limit-requests'), headers.get('x-ratelimit-remaining-requests'), headers.get('x-ratelimit-reset-requests')];
}

describe.each(FORMATS)('an incident limit, in the $name format', (format) => {
  it('counts only requests to its model, under any name; the plan’s limit counts all requests', async () => {
    await limitQuick({ requestsPerMinute: 2 });
    for (const [sent, model] of ['other', 'other', 'other'].entries()) expect(requestsOf(await ask(format, model))).toEqual(['10', `${9 - sent}`, '60s']);
    expect(requestsOf(await ask(format, 'quick'))).toEqual(['2', '1', '60s']);
    expect(requestsOf(await ask(format, 'fast-model'))).toEqual(['2', '0', '60s']);
    clock.advance(20_000);
    const refused = await ask(format, 'quick');
    expect([refused.status, refused.message, refused.headers.get('retry-after'), ...requestsOf(refused)])
      .toEqual([429, 'The model quick is limited for now: too many requests per minute to it.', '40', '2', '0', '40s']);
    for (const remaining of [4, 3, 2, 1, 0]) expect(requestsOf(await ask(format, 'other'))).toEqual(['10', `${remaining}`, '40s']);
    const refusedByPlan = await ask(format, 'other');
    expect([refusedByPlan.status, refusedByPlan.message]).toEqual([429, 'Too many requests per minute for your plan.']);
  });

  it('is the limit in the headers if it leaves fewer requests than the plan', async () => {
    await limitQuick({ requestsPerMinute: 5 });
    for (let sent = 0; sent < 5; sent += 1) await ask(format, 'other');
    expect(requestsOf(await ask(format, 'quick'))).toEqual(['10', '4', '60s']);
    expect(requestsOf(await ask(format, 'quick'))).toEqual(['10', '3', '60s']);
    // A limit that is set again starts with new counts.
    clock.advance(1);
    await limitQuick({ requestsPerMinute: 2 });
    expect(requestsOf(await ask(format, 'quick'))).toEqual(['2', '1', '60s']);
  });

  it('expires, and Retry-After is never longer than the time until then', async () => {
    await limitQuick({ requestsPerMinute: 0, expiresAt: later(clock.now(), 45_000) });
    const refused = await ask(format, 'quick');
    expect([refused.status, refused.headers.get('retry-after')]).toEqual([429, '45']);
    clock.advance(45_000);
    expect((await ask(format, 'quick')).status).toBe(200);
  });

  it('is not consumed by a request refused for insufficient balance', async () => {
    await limitQuick({ requestsPerMinute: 1 });
    const poor = await world.addCaller({ credit: '0' });
    for (let sent = 0; sent < 3; sent += 1) {
      const refused = await ask(format, 'quick', poor);
      expect([refused.status, ...requestsOf(refused)]).toEqual([402, '1', '1', '0s']);
    }
  });
});

it('GET /v1/account lists active incident limits for models of the plan', async () => {
  const limitsOf = async (by: TestCaller): Promise<unknown> => ((await world.get('/v1/account', by)) as { readonly limits: { readonly models: unknown } }).limits.models;
  expect(await limitsOf(caller)).toEqual([]);
  await limitQuick({ requestsPerMinute: 2, tokensPerMinute: tokenCount(100), expiresAt: later(clock.now(), 45_000) });
  const listed = { model: 'quick', requests_per_minute: 2, tokens_per_minute: 100, concurrent_requests: null, expires_at: '2026-11-18T12:00:45.000Z' };
  expect(await limitsOf(caller)).toEqual([listed]);
  expect(await limitsOf(await world.addCaller({ planId: 'without-quick' }))).toEqual([]);
  clock.advance(45_000);
  expect(await limitsOf(caller)).toEqual([]);
});

it.each(COUNTING_PATHS)('counting tokens of a limited model by %s uses the plan’s limits, not the incident limit', async (path) => {
  await limitQuick({ requestsPerMinute: 0 });
  const reply = await world.post(path, { model: 'quick', ...bodyOfEveryFormat('x', 1) }, caller);
  expect([reply.status, reply.headers.get('x-ratelimit-remaining-requests')]).toEqual([200, '9']);
});
