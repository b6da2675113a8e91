import { join } from 'node:path';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import { RandomIds, SystemClock } from '@tollgate/adapters-node';
import { openStripe } from '@tollgate/adapters-stripe';
import { openSqliteStore } from '@tollgate/adapters-sqlite';
import { type AccountId, type CreditChoice, MILLISECONDS_PER_DAY, type Payment, PaymentDesk, type ProcessId, ServiceTokens, SYSTEM_ACTOR, type TokenRate } from '@tollgate/core';
import { StripeServer } from '@tollgate/testkit/stripe-server';
import { type CreatedAccount, TollgateFolder } from '../test-support/tollgate-run.js';

interface Shown { readonly id: string; readonly state: string; readonly amount: string; readonly refunded: string; readonly svc_tokens_uncovered: string }
interface Listed { readonly payments: readonly Shown[]; readonly next_cursor: string | null }

const KEY = 'sk_test_commands';
const MONTH = { id: 'month', name: 'Month', amount: 1_000n, currency: 'USD', tokens: ServiceTokens.parse('100'), bonus: ServiceTokens.ZERO, creditExpiresAfterDays: 30 };

let folder: TollgateFolder;
let stripe: StripeServer;
let account: AccountId;
/** The store of a running gateway. */
let store: Awaited<ReturnType<typeof openSqliteStore>>;
let desk: PaymentDesk;

beforeAll(async () => {
  stripe = await StripeServer.start();
  folder = await TollgateFolder.withDatabase();
  account = (await folder.json<CreatedAccount>('accounts', 'create', '--email', 'ada@example.test', '--name', 'Ada')).account.id as AccountId;
});
afterAll(async () => {
  folder.remove();
  await stripe.close();
});

beforeEach(async () => {
  stripe.failure = null;
  Object.assign(folder.environment, { PAYMENTS: 'stripe', STRIPE_SECRET_KEY: KEY, STRIPE_API_BASE: stripe.url });
  const clock = new SystemClock();
  store = await openSqliteStore({ file: join(folder.path, 'tollgate.db'), clock, processId: 'process_gateway' as ProcessId });
  desk = new PaymentDesk({
    records: store.payments, provider: await openStripe({ secretKey: KEY, webhookSecrets: [], apiBase: stripe.url, automaticTax: false }), ids: new RandomIds(), clock, accounts: store.accounts,
    catalogue: { current: () => ({ creditOffer: { packages: [MONTH], custom: { currency: 'USD', min: 100n, max: 100_000n, rate: '1000' as TokenRate } } }) } as never, suspendsOnDispute: false,
  });
});
afterEach(() => store.close());

/** Starts a payment of ten dollars. */
function started(choice: CreditChoice = { amount: '10' }): Promise<Payment> {
  return desk.start({ accountId: account, choice, saveMethod: false, returnUrlOf: String, cancelUrl: 'https://gateway.test' }, { actor: SYSTEM_ACTOR, at: new SystemClock().now() });
}

async function paid(): Promise<string> {
  const payment = await started();
  stripe.pay(payment.reference ?? '');
  await desk.check(payment);
  return payment.id;
}

describe('payments', () => {
  it('are listed by account, state, provider and time, page by page', async () => {
    expect((await folder.run('payments', 'list')).out).toBe('There is no payment.\n');
    const [first, second] = [(await started()).id, await paid()];
    const ids = async (...options: readonly string[]): Promise<readonly string[]> => (await folder.json<Listed>('payments', 'list', ...options)).payments.map(({ id }) => id);
    expect(new Set(await ids('--account', 'ada@example.test'))).toEqual(new Set([first, second]));
    expect(await ids('--state', 'paid', '--provider', 'stripe', '--from', '1h')).toEqual([second]);
    expect([await ids('--state', 'refunded'), await ids('--provider', 'sandbox'), await ids('--to', '1h'), await ids('--uncovered')]).toEqual([[], [], [], []]);
    const page = await folder.json<Listed>('payments', 'list', '--limit', '1');
    expect(await ids('--cursor', page.next_cursor ?? '')).toEqual([first, second].filter((id) => id !== page.payments[0]?.id));
    expect((await folder.run('payments', 'list', '--limit', '1')).out).toContain(`There are more: --cursor ${page.payments[0]?.id ?? ''}`);
  });

  it('are checked with the provider while a gateway runs, and booked', async () => {
    const payment = await started();
    stripe.pay(payment.reference ?? '');
    expect(await folder.json<Shown>('payments', 'check', payment.id)).toMatchObject({ id: payment.id, state: 'paid', amount: '10.00' });
    const { out } = await folder.run('payments', 'show', payment.id);
    expect(out).toMatch(/status: +paid\n/);
    expect(out).toMatch(/price: +10\.00 USD\n/);
    expect(await store.payments.find(payment.id)).toMatchObject({ payment: { state: 'paid' } });
    stripe.failure = { status: 500, body: { error: { type: 'api_error', message: 'Down.' } } };
    expect(await folder.run('payments', 'check', payment.id)).toMatchObject({ exitCode: 1, error: expect.stringContaining('The payment provider did not answer.') });
  });

  it('show when the credit expires', async () => {
    const payment = await started({ packageId: 'month' });
    expect((await folder.run('payments', 'show', payment.id)).out).toMatch(/credit expires: +30 days after the booking\n/);
    stripe.pay(payment.reference ?? '');
    const checked = await folder.json<Shown & { readonly booked_at: string; readonly credit_expires_at: string }>('payments', 'check', payment.id);
    expect(Date.parse(checked.credit_expires_at) - Date.parse(checked.booked_at)).toBe(30 * MILLISECONDS_PER_DAY);
    const lasting = await started();
    expect((await folder.run('payments', 'show', lasting.id)).out).toMatch(/credit expires: +never\n/);
  });

  it('are refunded after a confirmation, each time by at most the amount that is left', async () => {
    const id = await paid();
    expect(await folder.run('payments', 'refund', id, '--reason', 'gift')).toMatchObject({ exitCode: 2, error: expect.stringContaining('--yes') });
    const { asked, exitCode } = await folder.runAnswering('n', 'payments', 'refund', id, '--reason', 'gift', '--amount', '4');
    expect([exitCode, asked]).toEqual([1, expect.stringContaining(`gets back 4 of ${id}`)]);
    expect(await folder.json<Shown>('payments', 'refund', id, '--amount', '4', '--reason', 'gift', '--yes')).toMatchObject({ state: 'partly-refunded', refunded: '4.00' });
    expect(await folder.run('payments', 'refund', id, '--amount', '6.01', '--reason', 'more', '--yes')).toMatchObject({ exitCode: 1, error: expect.stringContaining('At most 6.00 USD') });
    expect(await folder.run('payments', 'refund', id, '--amount', 'x', '--reason', 'more', '--yes')).toMatchObject({ exitCode: 2, error: expect.stringContaining('amount: must be an amount of USD') });
    expect(await folder.json<Shown>('payments', 'refund', id, '--reason', 'all', '--yes')).toMatchObject({ state: 'refunded', refunded: '10.00' });
    expect((await folder.run('payments', 'show', id)).out).toMatch(/REQUESTED REFUND +AMOUNT +STATUS +REQUESTED\nrefund_\S+ +4\.00 +accepted/);
    expect(await folder.run('payments', 'refund', id, '--reason', 'again', '--yes')).toMatchObject({ exitCode: 1, error: expect.stringContaining('The payment is not paid, or it is disputed.') });
  });

  it('refund advises against a second request if the provider has not confirmed the first', async () => {
    const id = await paid();
    stripe.failure = { status: 500, body: { error: { type: 'api_error', message: 'Down.' } } };
    expect(await folder.run('payments', 'refund', id, '--amount', '4', '--reason', 'gift', '--yes')).toMatchObject({
      exitCode: 0, out: expect.stringContaining(`The refund of ${id} is requested. The provider has not confirmed it. A gateway repeats the request under the same id, so do not request it again.\n`),
    });
    stripe.failure = null;
    expect((await folder.run('payments', 'refund', id, '--amount', '4', '--reason', 'gift', '--yes')).out).toContain(`The refund of ${id} is requested.\n`);
  });

  it('of a provider that is no longer in use cannot be checked or refunded', async () => {
    const id = await paid();
    folder.environment['PAYMENTS'] = 'off';
    for (const args of [['check', id], ['refund', id, '--reason', 'r', '--yes']]) {
      expect(await folder.run('payments', ...args)).toMatchObject({ exitCode: 1, error: expect.stringContaining('This payment was made at stripe, which the gateway no longer uses') });
    }
  });

  it.each([['show', 'pay_none'], ['check', 'pay_none'], ['refund', 'pay_none', '--reason', 'r', '--yes']])('report an unknown payment: %s %s', async (...args) => {
    expect(await folder.run('payments', ...args)).toMatchObject({ exitCode: 1, error: expect.stringContaining('there is no payment pay_none') });
  });

  it.each([['list', '--state', 'x'], ['list', '--cursor', 'x'], ['list', '--from', 'x'], ['refund', 'pay_1', '--yes']])('refuse the invalid arguments %s %s %s', async (...args) => {
    expect((await folder.run('payments', ...args)).exitCode).toBe(2);
  });
});

it('accounts automatic-top-up shows the settings, or that automatic top-up was never switched on', async () => {
  expect((await folder.run('accounts', 'automatic-top-up', account)).out).toContain('Automatic top-up was never switched on.');
  const by = { actor: SYSTEM_ACTOR, at: new SystemClock().now() };
  const settings = { threshold: ServiceTokens.parse('50'), packageId: null, tokens: ServiceTokens.parse('100'), amount: 1000n, currency: 'USD', maxPerDay: 2, monthlyAmount: 5000n };
  expect(await store.topUps.enable(account, { settings, provider: 'stripe' }, by)).toBe('no-method');
  const payment = await store.payments.find(await paid() as Payment['id']);
  await store.payments.apply(payment?.payment.id as Payment['id'], { status: 'paid', amount: 1000n, currency: 'USD', refunds: [], failedRefunds: [], requestedRefunds: [], disputes: [], invoiceUrl: null, customer: 'cus_1', method: 'pm_1' }, { at: by.at, suspends: false });
  expect(await store.topUps.enable(account, { settings, provider: 'stripe' }, by)).toBe('enabled');
  expect(await folder.json('accounts', 'automatic-top-up', account)).toMatchObject({ enabled: true, settings: { threshold: '50', amount: '10.00', max_per_day: 2, monthly_amount: '50.00' }, charges_today: 0, method_saved: true });
  expect((await folder.run('accounts', 'automatic-top-up', account)).out).toContain('0 of at most 2 charges (UTC)');
  await store.topUps.disable(account, by);
  expect((await folder.run('accounts', 'automatic-top-up', account)).out).toMatch(/^next try: +none$/mu);
});
