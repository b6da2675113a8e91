import { afterAll, afterEach, beforeAll, describe, expect, it } from '@jest/globals';
import type { JsonObject } from '@tollgate/core';
import {
  answersHtml, answersMalformedJson, answersStatus, type Behaviour, breaksAfter, hangsBeforeHeaders, redirectsTo, replies, resetsBeforeHeaders,
  type ScriptedUpstream, sendsRaw,
} from '@tollgate/testkit';
import { services } from '../../src/composition/services.js';
import { AcceptanceWorld, type LedgerCharge } from './support/acceptance-world.js';
import { type Delivery, DELIVERIES, type Figures, figuresOf, type Format, FORMATS } from './support/formats.js';
import { AMPLE_PLAN, catalogueFile, modelEntry, scriptedEntry } from './support/scripted-catalogue.js';

/** Ten times the fallback's price, so that a charge at the wrong price is noticed. */
const DEAR: JsonObject = { prompt: 10_000, output: 20_000 };
const IMPATIENT: JsonObject = { timeouts: { first_byte_seconds: 0.02, silence_seconds: 0.1 } };
/** Nothing listens on port 1. */
const NOBODY: JsonObject = { kind: 'openai', base_url: 'http://127.0.0.1:1/v1' };

function catalogue(upstream: ScriptedUpstream): JsonObject {
  return catalogueFile(
    { first: scriptedEntry(upstream), second: scriptedEntry(upstream), impatient: scriptedEntry(upstream, IMPATIENT), nobody: NOBODY },
    {
      'primary': modelEntry('primary', { upstream: 'first', price: DEAR, fallbacks: ['backup'] }),
      'unreachable': modelEntry('unreachable', { upstream: 'nobody', price: DEAR, fallbacks: ['backup'] }),
      'slow': modelEntry('slow', { upstream: 'impatient', price: DEAR, fallbacks: ['backup'] }),
      'guarded': modelEntry('guarded', { upstream: 'first', price: DEAR, fallbacks: ['excluded', 'backup'] }),
      'stranded': modelEntry('stranded', { upstream: 'first', price: DEAR, fallbacks: ['excluded'] }),
      'excluded': modelEntry('excluded', { upstream: 'second' }),
      'backup': modelEntry('backup', { upstream: 'second' }),
    },
    { ample: { ...AMPLE_PLAN, excluded_models: ['excluded'] } },
  );
}

/** 40 prompt tokens, 10 of them cached, and 20 output tokens. */
const USAGE: JsonObject = { prompt_tokens: 40, completion_tokens: 20, total_tokens: 60, prompt_tokens_details: { cached_tokens: 10 } };
const SERVED = replies({ text: ['Served ', 'instead.'], usage: USAGE });
/** Charged at the fallback's price: 30 × 0.001 + 10 × 0.0001 + 20 × 0.002. */
const FIGURES: Figures = { debited: '0.071', usd: '0.000071', prompt: 40, cached: 10, output: 20 };
const NOTHING: Figures = { debited: '0', usd: '0', prompt: 0, cached: 0, output: 0 };

let world: AcceptanceWorld;

/** Upstream names of the requested models, in the order of the requests. */
function asked(): readonly unknown[] {
  return world.upstream.requests.map(({ body }) => body['model']);
}

interface Outcome {
  readonly status: number;
  readonly servedBy: string | null;
  readonly text: string;
  readonly fallbackUsed: boolean | null;
  /** `null` if the request was refused. */
  readonly figures: Figures | null;
  /** Figures of the usage record; `null` if there is no record. */
  readonly recorded: Figures | null;
  readonly charges: readonly LedgerCharge[];
  readonly error: unknown;
}

async function ask(format: Format, delivery: Delivery, model: string): Promise<Outcome> {
  const reply = await world.post(format.path, format.body(model, 'Tell me.', { stream: delivery === 'stream' }));
  const raw = await reply.text();
  const record = await world.recordOf(reply);
  const common = {
    status: reply.status,
    servedBy: reply.headers.get('x-svc-model'),
    recorded: record === null ? null : figuresOf(record),
    charges: record === null ? [] : world.chargesOf(record.requestId),
    fallbackUsed: record?.service?.fallbackUsed ?? null,
  };
  if (reply.status !== 200) return { ...common, text: '', figures: null, error: (JSON.parse(raw) as { error: unknown }).error };
  if (delivery === 'whole') return { ...common, ...format.readWhole(JSON.parse(raw) as JsonObject), error: null };
  return { ...common, ...format.readStream(raw) };
}

/** Behaviours that fail before any output; the name continues "when the upstream". */
const FAILURES: readonly (readonly [name: string, model: string, behaviour: Behaviour])[] = [
  ['answers 500', 'primary', answersStatus(500)],
  ['answers 503', 'primary', answersStatus(503)],
  ['answers 429', 'primary', answersStatus(429, undefined, { 'retry-after': '30' })],
  ['answers 408', 'primary', answersStatus(408)],
  ['does not take the gateway\'s key', 'primary', answersStatus(401)],
  ['does not know the model any more', 'primary', answersStatus(404)],
  ['answers with a page of HTML', 'primary', answersHtml(502)],
  ['sends malformed JSON', 'primary', answersMalformedJson()],
  ['sends an error in place of a reply', 'primary', sendsRaw('data: {"error":{"message":"out of memory","code":500}}\n\ndata: [DONE]\n\n')],
  ['redirects elsewhere', 'primary', redirectsTo('http://127.0.0.1:1/elsewhere')],
  ['resets the connection', 'primary', resetsBeforeHeaders()],
  ['ends after its headers', 'primary', breaksAfter(0, 'end')],
  ['resets after its headers', 'primary', breaksAfter(0, 'reset')],
  ['resets after the role', 'primary', breaksAfter(1, 'reset')],
  ['is silent after its headers', 'slow', breaksAfter(0, 'hang')],
  ['never answers', 'slow', hangsBeforeHeaders()],
  ['cannot be reached', 'unreachable', SERVED],
];

describe.each(FORMATS)('in the $name format', (format) => {
  // Each format has its own world, so that failures in one format do not count towards a circuit in another.
  beforeAll(async () => {
    world = await AcceptanceWorld.start({ catalogue, planId: 'ample' });
    world.upstream.always('up-backup', SERVED);
  });
  afterEach(async () => {
    // One good reply per test keeps the circuits closed, so that no test is affected by an earlier failure.
    for (const slug of ['primary', 'backup']) {
      world.upstream.script(`up-${slug}`, SERVED);
      await world.post('/v1/messages', { model: slug, max_tokens: 9, messages: [{ role: 'user', content: 'Hi' }] });
    }
    world.upstream.requests.length = 0;
  });
  afterAll(() => world.close());

  describe.each(DELIVERIES)('a request for a %s reply', (delivery) => {
    it.each(FAILURES)('is served by the fallback, at the fallback’s price, when the upstream %s', async (_, model, behaviour) => {
      world.upstream.script(`up-${model}`, behaviour);
      const outcome = await ask(format, delivery, model);
      expect(outcome).toMatchObject({
        status: 200, servedBy: 'backup', text: 'Served instead.', fallbackUsed: true, error: null,
        figures: FIGURES, recorded: FIGURES, charges: [{ kind: 'charge', amount: FIGURES.debited }],
      });
      expect(asked()).toEqual(model === 'unreachable' ? ['up-backup'] : [`up-${model}`, 'up-backup']);
    });

    it('skips a fallback outside the plan and is served by the next one', async () => {
      world.upstream.script('up-guarded', answersStatus(500));
      const { servedBy, recorded } = await ask(format, delivery, 'guarded');
      expect([servedBy, recorded, asked()]).toEqual(['backup', FIGURES, ['up-guarded', 'up-backup']]);
    });

    it('is refused without charge when only a fallback outside the plan is left', async () => {
      const before = await world.available();
      world.upstream.script('up-stranded', answersStatus(500));
      const outcome = await ask(format, delivery, 'stranded');
      expect(outcome).toMatchObject({
        status: 503, servedBy: null, recorded: NOTHING, error: { code: 'provider_unavailable', type: 'overloaded_error' }, charges: [],
      });
      expect([await world.available(), asked()]).toEqual([before, ['up-stranded']]);
    });

    it('is refused without charge when every candidate fails, and the refusal does not state the reason', async () => {
      const before = await world.available();
      world.upstream.script('up-primary', answersStatus(500, { error: { message: 'secret host 10.0.0.7' } }));
      world.upstream.script('up-backup', answersHtml());
      const outcome = await ask(format, delivery, 'primary');
      expect(outcome).toMatchObject({ status: 503, recorded: NOTHING, error: { code: 'provider_unavailable' }, charges: [] });
      expect(JSON.stringify(outcome.error)).not.toMatch(/secret|10\.0\.0|html|up-/i);
      expect(await world.available()).toBe(before);
    });

    it('is not served by a fallback if the upstream rejects it as invalid', async () => {
      world.upstream.script('up-primary', answersStatus(400));
      const { status, error } = await ask(format, delivery, 'primary');
      expect([status, asked()]).toEqual([400, ['up-primary']]);
      expect(error).toMatchObject({ code: 'invalid_request', message: 'The model does not accept this request.' });
    });
  });

  it.each<readonly [name: string, behaviour: Behaviour]>([
    ['resets the connection', breaksAfter(3, 'reset')],
    ['ends without an end', breaksAfter(3, 'end')],
    ['sends an error', breaksAfter(3, { error: { message: 'secret: GPU lost', type: 'server_error', code: 500 } })],
  ])('a stream whose upstream %s midway ends with an error frame and is charged for the relayed output', async (_, behaviour) => {
    world.upstream.script('up-primary', behaviour);
    const reply = await world.post(format.path, format.body('primary', 'Tell me.', { stream: true }));
    const raw = await reply.text();
    const { text, error, figures } = format.readStream(raw);
    const requestId = reply.headers.get('x-request-id');
    expect([text, figures]).toEqual(['Once upon ', null]);
    expect(error).toMatchObject({ code: 'provider_unavailable', type: 'overloaded_error', request_id: requestId });
    expect(raw).not.toContain('secret');
    const record = await world.recordOf(reply);
    expect(record).toMatchObject({ reason: 'provider_failed', service: { servedBy: 'primary', fallbackUsed: false }, usage: { source: 'counted' } });
    const counter = world.gateway.container.get(services.estimator).startCounter();
    counter.add(text);
    expect(record?.usage.visibleOutputTokens).toBe(counter.tokens);
    const charge = 0.01 * Number(record?.usage.uncachedPromptTokens) + 0.02 * counter.tokens;
    expect(Number(record?.charge.amount.toString())).toBeCloseTo(charge, 6);
    expect(record === null ? null : world.chargesOf(record.requestId)).toEqual([{ kind: 'charge', amount: record?.charge.amount.toString() }]);
    expect(asked()).toEqual(['up-primary']);
  });

  it.each<readonly [name: string, behaviour: Behaviour]>([
    ['resets the connection', breaksAfter(3, 'reset')],
    ['ends without an end', breaksAfter(3, 'end')],
  ])('a whole reply whose upstream %s midway comes from the fallback, and only the fallback’s output is charged', async (_, behaviour) => {
    const before = Number(await world.available());
    world.upstream.script('up-primary', behaviour);
    const { servedBy, recorded, charges } = await ask(format, 'whole', 'primary');
    expect([servedBy, recorded, charges]).toEqual(['backup', FIGURES, [{ kind: 'charge', amount: FIGURES.debited }]]);
    expect(before - Number(await world.available())).toBeCloseTo(Number(FIGURES.debited), 6);
  });

  it('the fallback also serves a whole reply that the gateway requests as a stream, as it does for one that may exceed its reservation', async () => {
    world.upstream.script('up-primary', breaksAfter(3, 'reset'));
    const reply = await world.post(format.path, format.body('primary', 'Tell me.', { max_tokens: 8000 }));
    expect(format.readWhole((await reply.json()) as JsonObject)).toMatchObject({ text: 'Served instead.', model: 'backup', figures: FIGURES });
    expect(world.upstream.requests.map(({ body }) => body['stream'])).toEqual([true, true]);
  });
  it('an audit of the ledger finds no differences afterwards', async () => {
    expect(await world.differences()).toEqual([]);
  });
});
