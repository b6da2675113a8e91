import { afterEach, beforeEach, expect, it } from '@jest/globals';
import { instant, later, MILLISECONDS_PER_DAY, type ModelSlug, parsePriceFactor, parseTokenRate, perRate, type PriceListId, SYSTEM_ACTOR } from '@tollgate/core';
import { ModelNoticeMailer } from '../src/background/model-notice-mailer.js';
import { startTestGateway, type TestGateway } from '../src/test-support/start-test-gateway.js';
import { testCatalogue } from '../src/test-support/test-catalogue.js';

const NOON = instant(Date.UTC(2026, 10, 18, 12));
const RISE = later(NOON, 10 * MILLISECONDS_PER_DAY);
const PARTNERS = 'partners' as PriceListId;
let gateway: TestGateway;

beforeEach(async () => {
  gateway = await startTestGateway();
  const catalogue = testCatalogue();
  gateway.parts.catalogue.replace({
    ...catalogue,
    models: catalogue.models.map((model) => (model.slug === 'small' ? {
      ...model, laterPrices: [{ from: RISE, price: perRate(() => parseTokenRate('0.1')) }], shutdown: { at: later(NOON, 50 * MILLISECONDS_PER_DAY), successor: 'halting' as ModelSlug, forwards: true },
    } : model)),
    priceLists: [{ id: PARTNERS, name: 'Partners', entries: [{ from: null, factor: parsePriceFactor('1'), rates: new Map([['small' as ModelSlug, perRate(() => parseTokenRate('0.2'))]]) }] }],
  });
});
afterEach(() => gateway.close());

async function mails(): Promise<readonly string[]> {
  return (await gateway.parts.store.mail.list({ limit: 100, after: null })).map(({ to, subject }) => `${to ?? ''}: ${subject ?? ''}`).toSorted();
}

async function ask(key: string, model: string): Promise<void> {
  await (await gateway.post('/v1/chat/completions', { model, messages: [{ role: 'user', content: 'Hi' }] }, { authorization: `Bearer ${key}` })).text();
}

it('each owner who used a model is notified once of its price increases and of its end', async () => {
  const [other, partner] = [await gateway.addCaller('other'), await gateway.addCaller('partner')];
  await gateway.gateway.accountAdministration.change(partner.account.id, { priceList: PARTNERS }, SYSTEM_ACTOR);
  await ask(gateway.caller.key, 'small');
  await ask(partner.key, 'small');
  await ask(other.key, 'halting');
  const expected = ['first@example.test: Prices change on 2026-11-28', 'first@example.test: The model small is shut down on 2027-01-07', 'partner@example.test: The model small is shut down on 2027-01-07'];
  const mailer = gateway.gateway.container.get(ModelNoticeMailer);
  for (let turns = 0; turns < 3; turns += 1) {
    await mailer.run();
    expect(await mails()).toEqual(expected);
  }
});

it('one warning is logged if accounts have a price list that the catalogue lacks', async () => {
  await gateway.gateway.accountAdministration.change(gateway.caller.account.id, { priceList: PARTNERS }, SYSTEM_ACTOR);
  gateway.parts.catalogue.replace(testCatalogue());
  const warnings = () => gateway.parts.logged.filter(({ priceList }) => priceList !== undefined);
  const mailer = gateway.gateway.container.get(ModelNoticeMailer);
  for (let turns = 0; turns < 3; turns += 1) await mailer.run();
  expect(warnings()).toMatchObject([{ priceList: 'partners', accounts: 1, msg: 'the catalogue lacks a price list that is assigned to accounts; these accounts pay the standard prices' }]);
});
