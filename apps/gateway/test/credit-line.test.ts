import { afterEach, describe, expect, it } from '@jest/globals';
import { readSettings, type Settings } from '@tollgate/adapters-config';
import { InstallationSecret } from '@tollgate/adapters-node';
import type { TokenRate } from '@tollgate/core';
import { bodyOfEveryFormat, FORMATS } from './acceptance/support/formats.js';
import { startTestGateway, TEST_SETTINGS, type TestGateway } from '../src/test-support/start-test-gateway.js';
import { testCatalogue } from '../src/test-support/test-catalogue.js';

const CREDIT_LINE = 'Write to billing@example.com, or see https://example.com/credit.';
const CONVERSATION = { model: 'small', ...bodyOfEveryFormat('Hello', 10) };
const BILLING = 'https://api.acme.test/dashboard/billing';

let running: TestGateway;

afterEach(() => running.close());

function configurationOf(payments: string): Settings {
  const reading = readSettings({ DATABASE_URL: 'sqlite::memory:', PAYMENTS: payments, ...(payments === 'stripe' ? { STRIPE_SECRET_KEY: 'sk_test_of_the_operator' } : {}) });
  if ('problems' in reading) throw new Error(reading.problems.join('\n'));
  return reading.settings;
}

async function start(payments: 'off' | 'sandbox' | 'stripe', creditLine: string | null = null): Promise<void> {
  running = await startTestGateway({
    credit: '0.000001', services: { configuration: configurationOf(payments), secret: new InstallationSecret(new Uint8Array(32), null) },
    settings: { dashboard: { ...TEST_SETTINGS.dashboard, publicUrl: 'https://api.acme.test', creditLine }, brand: { ...TEST_SETTINGS.brand, name: 'Acme' } },
  });
}

/** Messages of the refusals in all formats, whole and streamed, without the first sentence, which states amounts. */
async function advice(): Promise<readonly string[]> {
  const messages: string[] = [];
  for (const { path } of FORMATS) {
    for (const stream of [false, true]) {
      const reply = await running.post(path, { ...CONVERSATION, stream });
      const { error } = await reply.json() as { readonly error: { readonly code: string; readonly type: string; readonly message: string } };
      expect([path, reply.status, error.code, error.type]).toEqual([path, 402, 'insufficient_balance', 'invalid_request_error']);
      messages.push(error.message.replace(/^This request needs at least .+? service tokens set aside, but only 0\.000001 are available\./, '').trim());
    }
  }
  return messages;
}

describe('a refusal for insufficient balance, in every format', () => {
  it.each([
    ['sandbox', null, `Add credit to your Acme account at ${BILLING}`],
    ['sandbox', CREDIT_LINE, `Add credit to your Acme account at ${BILLING} ${CREDIT_LINE}`],
    // Without packages for sale, the message mentions vouchers only.
    ['stripe', null, `Redeem a voucher for your Acme account at ${BILLING}`],
    ['off', null, `Redeem a voucher for your Acme account at ${BILLING}`],
    ['off', CREDIT_LINE, `Redeem a voucher for your Acme account at ${BILLING} ${CREDIT_LINE}`],
  ] as const)('says how to get credit with the payments setting %s and the operator’s text %j', async (payments, creditLine, expected) => {
    await start(payments, creditLine);
    const messages = await advice();
    expect(messages).toEqual(messages.map(() => expected));
  });

  it('says where to buy credit once the catalogue offers packages', async () => {
    await start('stripe');
    running.parts.catalogue.replace({ ...testCatalogue(), creditOffer: { packages: [], custom: { currency: 'USD', min: 100n, max: 100_000n, rate: '1000' as TokenRate } } });
    const messages = await advice();
    expect(messages).toEqual(messages.map(() => `Add credit to your Acme account at ${BILLING}`));
  });
});
