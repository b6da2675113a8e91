import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import {
  type AccountId, type CatalogueContents, instant, later, type Model, type ModelSlug, parsePriceFactor, perRate, parseTokenRate, type Price, type PriceListId, type RequestId, SYSTEM_ACTOR, TOKEN_RATES,
} from '@tollgate/core';
import { Gate, SeededRandom } from '@tollgate/testkit';
import { bodyOfEveryFormat, FORMATS } from './acceptance/support/formats.js';
import { startTestGateway, type TestGateway } from '../src/test-support/start-test-gateway.js';
import { eventually } from '../src/test-support/test-client.js';
import { haltedReply, REPORTED_USAGE, testCatalogue, textReply } from '../src/test-support/test-catalogue.js';

const PARTNERS = 'partners' as PriceListId;
/** When prices change: five seconds after the start of the clock. */
const CHANGED_AT = instant(Date.UTC(2026, 10, 18, 12, 0, 5));
const BODY = bodyOfEveryFormat('Hi there!', 900);

/** A price with this rate for every token class. */
function price(rate: string): Price {
  return perRate(() => parseTokenRate(rate));
}

/** A catalogue in which a token of any model costs 0.001 service tokens, and 0.002 from `CHANGED_AT` on. */
function pricedCatalogue(differences: Partial<Model> = {}): CatalogueContents {
  const catalogue = testCatalogue();
  return {
    ...catalogue,
    models: catalogue.models.map((model) => ({ ...model, price: price('0.001'), laterPrices: [{ from: CHANGED_AT, price: price('0.002') }], ...differences })),
    priceLists: [{ id: PARTNERS, name: 'Partners', entries: [{ from: null, factor: parsePriceFactor('0.5'), rates: new Map() }] }],
  };
}

let gateway: TestGateway;
let gate: Gate;

beforeEach(async () => {
  gateway = await startTestGateway();
  gateway.parts.catalogue.replace(pricedCatalogue());
  gate = new Gate();
  gateway.provider.script('halting', haltedReply(gate, ' again'));
});

afterEach(async () => {
  gate.open();
  await gateway.close();
});

async function setPriceList(priceList: PriceListId | null, id: AccountId = gateway.caller.account.id): Promise<void> {
  const { outcome } = await gateway.gateway.accountAdministration.change(id, { priceList }, SYSTEM_ACTOR);
  expect(outcome).toBe('changed');
}

/** Charge, rate of an output token, price list and catalogue version, from the account's usage. */
async function recordOf(reply: Response): Promise<readonly unknown[]> {
  const body = await (await gateway.fetch(`/v1/usage/${reply.headers.get('x-request-id') ?? ''}`)).json() as Readonly<Record<string, unknown>>;
  const { lines } = body['charge'] as { readonly lines: readonly { readonly token_class: string; readonly rate: string }[] };
  return [body['svc_tokens_debited'], lines.find(({ token_class: name }) => name === 'output')?.rate, body['price_list'], body['price_version']];
}

async function offered(): Promise<readonly unknown[]> {
  const model = await (await gateway.fetch('/v1/models/halting')).json() as { readonly pricing: Readonly<Record<string, string>>; readonly next_price: Readonly<Record<string, string>> | null } & Record<string, unknown>;
  return [model.pricing['output'], model['price_list'], model['price_version'], model.next_price];
}

/** Charge for the usage of the scripted reply at this rate per token. */
function chargeAt(rate: number): string {
  return String(Number((rate * Number(REPORTED_USAGE.totalTokens)).toFixed(6)));
}

const CHANGES: readonly (readonly [name: string, change: () => void | Promise<void>, after: readonly unknown[]])[] = [
  ['the date of a new price passes', () => gateway.clock.advance(5000), ['0.002', 'standard', '2026-11-18']],
  ['the account gets a price list', () => setPriceList(PARTNERS), ['0.0005', 'partners', 'initial']],
  ['the catalogue is reloaded with other prices', () => gateway.parts.catalogue.replace(pricedCatalogue({ price: price('0.009') })), ['0.009', 'standard', 'initial']],
];

describe.each(FORMATS)('in the $name format,', ({ path }) => {
  it.each(CHANGES)('a stream that runs while %s is charged at the price in force at its start, and the next stream at the new price', async (_name, change, after) => {
    const reply = await gateway.post(path, { ...BODY, model: 'halting', stream: true });
    await change();
    gate.open();
    await reply.text();
    expect(await recordOf(reply)).toEqual([chargeAt(0.001), '0.001', 'standard', 'initial']);
    const next = await gateway.post(path, { ...BODY, model: 'halting', stream: true });
    await next.text();
    expect(await recordOf(next)).toEqual([chargeAt(Number(after[0])), ...after]);
    expect((await offered()).slice(0, 3)).toEqual(after);
  });

  it.each(CHANGES)('a whole reply that runs while %s is charged at the price in force at its start', async (_name, change) => {
    const sent = gateway.post(path, { ...BODY, model: 'halting' });
    await eventually(() => gateway.provider.calls.length === 1);
    await change();
    gate.open();
    const reply = await sent;
    await reply.text();
    expect(await recordOf(reply)).toEqual([chargeAt(0.001), '0.001', 'standard', 'initial']);
    expect(reply.headers.get('x-svc-tokens-debited')).toBe(chargeAt(0.001));
  });
});

/** A request whose reply is held back, and the prices in force when it began. */
interface Running {
  readonly reply: Promise<Response>;
  readonly gate: Gate;
  readonly offered: readonly unknown[];
}

const SEED = 38;
const STEPS = 120;
/** Maximum number of running requests, below the plan's concurrency limit. */
const MOST_RUNNING = 3;
const RATES = ['0.001', '0.0025', '0.004', '0.0095'];

/** Starts a request in a random format, whole or streamed. */
async function startOne(random: SeededRandom): Promise<Running> {
  const held = new Gate();
  gateway.provider.script('halting', haltedReply(held, ' again'));
  const { path } = random.pick(FORMATS);
  const [before, prices] = [gateway.provider.calls.length, await offered()];
  const reply = gateway.post(path, { ...BODY, model: 'halting', stream: random.happens(0.5) });
  await eventually(() => gateway.provider.calls.length === before + 1);
  return { reply, gate: held, offered: prices };
}

async function finishOne({ reply, gate: held, offered: [rate, list, version] }: Running): Promise<void> {
  held.open();
  const finished = await reply;
  await finished.text();
  expect([finished.status, await recordOf(finished)]).toEqual([200, [chargeAt(Number(rate)), rate, list, version]]);
}

it(`each of many running requests is charged at the price in force at its start, whatever changes meanwhile (seed ${SEED})`, async () => {
  const random = new SeededRandom(SEED);
  const running: Running[] = [];
  const seen = new Set<string>();
  const acts: readonly (() => unknown)[] = [
    () => setPriceList(random.happens(0.5) ? PARTNERS : null),
    () => gateway.parts.catalogue.replace(pricedCatalogue({ price: price(random.pick(RATES)), laterPrices: [{ from: later(gateway.clock.now(), random.between(1, 4) * 1000), price: price(random.pick(RATES)) }] })),
    () => gateway.clock.advance(2_000),
  ];
  for (let step = 0; step < STEPS; step += 1) {
    if (running.length < MOST_RUNNING && random.happens(0.4)) running.push(await startOne(random));
    else if (running.length > 0 && random.happens(0.4)) await finishOne(...(running.splice(random.between(0, running.length - 1), 1) as [Running]));
    else await random.pick(acts)();
    for (const { offered: prices } of running) seen.add(JSON.stringify(prices.slice(0, 3)));
  }
  for (const one of running) await finishOne(one);
  expect([gateway.provider.calls.length > 30, seen.size > 8]).toEqual([true, true]);
});

it('a request of an account with a price list is recorded with the prices of the list', async () => {
  await setPriceList(PARTNERS);
  const reply = await gateway.post('/v1/chat/completions', { ...BODY, model: 'small' });
  await reply.text();
  const record = await gateway.parts.store.usage.find(gateway.caller.account.id, reply.headers.get('x-request-id') as RequestId);
  const standard = await gateway.post('/v1/chat/completions', { ...BODY, model: 'small' }, { authorization: `Bearer ${(await gateway.addCaller('second')).key}` });
  await standard.text();
  expect(record?.reserved?.toUnits()).toBeGreaterThan(0n);
  expect(record?.service).toMatchObject({ price: price('0.0005'), priceVersion: { list: PARTNERS, version: 'initial' } });
});

it('an account sees the prices of its price list, or else the standard prices, with their next change', async () => {
  const next = (rate: string) => ({ from: '2026-11-18T12:00:05.000Z', ...Object.fromEntries(TOKEN_RATES.map(({ name }) => [name, rate])) });
  expect(await offered()).toEqual(['0.001', 'standard', 'initial', next('0.002')]);
  await setPriceList(PARTNERS);
  expect(await offered()).toEqual(['0.0005', 'partners', 'initial', next('0.001')]);
  gateway.clock.advance(5000);
  expect(await offered()).toEqual(['0.001', 'partners', '2026-11-18', null]);
  await setPriceList(null);
  expect(await offered()).toEqual(['0.002', 'standard', '2026-11-18', null]);
});

it('an account whose price list was removed from the catalogue is served at the standard prices', async () => {
  await setPriceList(PARTNERS);
  gateway.parts.catalogue.replace({ ...pricedCatalogue(), priceLists: [] });
  const reply = await gateway.post('/v1/chat/completions', { ...BODY, model: 'small' });
  await reply.text();
  expect((await recordOf(reply)).slice(1)).toEqual(['0.001', 'standard', 'initial']);
  expect((await gateway.parts.store.accounts.findById(gateway.caller.account.id))?.priceList).toBe(PARTNERS);
});

describe('a model with an announced end', () => {
  const successor = 'small' as ModelSlug;

  function withEnd(forwards: boolean): CatalogueContents {
    const catalogue = testCatalogue();
    return { ...catalogue, models: catalogue.models.map((model) => (model.slug === 'halting' ? { ...model, shutdown: { at: CHANGED_AT, successor, forwards } } : model)) };
  }

  it.each(FORMATS)('has its end announced in every $name reply, also in refusals, and in GET /v1/models/{model}', async ({ path }) => {
    gateway.parts.catalogue.replace(withEnd(false));
    gateway.provider.script('halting', textReply('Hello'));
    const sunset = 'Wed, 18 Nov 2026 12:00:05 GMT';
    for (const fields of [{ stream: true }, {}, { max_tokens: 1_000_000, max_completion_tokens: 1_000_000, max_output_tokens: 1_000_000 }]) {
      const reply = await gateway.post(path, { ...BODY, model: 'halting', ...fields });
      await reply.text();
      expect(reply.headers.get('sunset')).toBe(sunset);
    }
    expect((await gateway.post(path, { ...BODY, model: 'small' })).headers.get('sunset')).toBeNull();
    const listed = await gateway.fetch('/v1/models/halting');
    expect(listed.headers.get('sunset')).toBe(sunset);
    expect(await listed.json()).toMatchObject({ shutdown_date: '2026-11-18', successor: 'small' });
  });

  it.each(FORMATS)('is refused in the $name format after its end, with the name of its successor, and is no longer listed', async ({ path }) => {
    gateway.parts.catalogue.replace(withEnd(false));
    gateway.clock.advance(5000);
    const reply = await gateway.post(path, { ...BODY, model: 'halting' });
    expect(reply.status).toBe(404);
    expect(await reply.text()).toContain('The model halting was shut down on 2026-11-18. Use small instead.');
    const { data } = await (await gateway.fetch('/v1/models')).json() as { readonly data: readonly { readonly id: string }[] };
    expect(data.map(({ id }) => id)).not.toContain('halting');
  });

  it.each(FORMATS)('is served by its successor in the $name format, at the successor’s price, if the catalogue says so', async ({ path }) => {
    gateway.parts.catalogue.replace(withEnd(true));
    gateway.clock.advance(5000);
    const reply = await gateway.post(path, { ...BODY, model: 'halting' });
    await reply.text();
    expect([reply.status, reply.headers.get('x-svc-model'), reply.headers.get('sunset')]).toEqual([200, 'small', null]);
    expect(await (await gateway.fetch('/v1/models/small')).json()).toMatchObject({ id: 'small', aliases: ['mini', 'little-*', 'halting'] });
  });
});
