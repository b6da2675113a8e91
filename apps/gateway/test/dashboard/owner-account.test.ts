import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { contract } from '@tollgate/api-contract';
import { type AccountId, type JsonObject, MILLISECONDS_PER_DAY, MILLISECONDS_PER_HOUR, ServiceTokens, SYSTEM_ACTOR } from '@tollgate/core';
import { bodyOfEveryFormat, FORMATS } from '../acceptance/support/formats.js';
import { startTestGateway, type TestGateway } from '../../src/test-support/start-test-gateway.js';
import { addPerson, type PageReply, TestBrowser, textOf } from '../../src/test-support/test-browser.js';

let running: TestGateway;

interface Owner { readonly browser: TestBrowser; readonly accountId: AccountId; readonly secret: string; readonly signIn: () => Promise<void> }

/** Adds a signed-in owner with credit and a key. */
async function addOwner(name: string, role: 'owner' | 'operator' = 'owner'): Promise<Owner> {
  const { person, password } = await addPerson(running.gateway, `${name}@example.com`, role);
  const browser = new TestBrowser(running.gateway);
  const signIn = async (): Promise<void> => void await browser.call(contract.signIn, { body: { email: person.email, password } });
  await signIn();
  const accountId = person.accountId as AccountId;
  await running.gateway.accountAdministration.credit({ accountId, amount: ServiceTokens.parse('10'), reference: 'first', actor: SYSTEM_ACTOR });
  const secret = textOf(await browser.call(contract.createKey, { body: {} }), 'secret');
  return { browser, accountId, secret, signIn };
}

async function ask(secret: string, path = '/v1/chat/completions', model = 'small'): Promise<string> {
  const reply = await running.post(path, { model, ...bodyOfEveryFormat('Hi', 10) }, { authorization: `Bearer ${secret}` });
  const { error } = await reply.json() as { readonly error?: { readonly code: string } };
  return `${reply.status} ${error?.code ?? ''}`.trim();
}

function errorOf({ status, body }: PageReply): string {
  return `${status} ${body.error?.code ?? ''}`;
}

function entriesOf({ body }: PageReply): readonly JsonObject[] {
  return (body['data'] ?? body['activity']) as readonly JsonObject[];
}

beforeAll(async () => {
  running = await startTestGateway();
});
afterAll(() => running.close());

describe('the overview', () => {
  it('contains the account, spending by day and model, and the newest changes', async () => {
    const { browser, secret } = await addOwner('ann');
    expect((await browser.call(contract.overview)).body).toMatchObject({ spend: { today: { svc_tokens: '0', usd: '0' } }, runs_out_in_days: null, days: [], api_used: false });
    await ask(secret);
    running.clock.advance(MILLISECONDS_PER_DAY);
    await Promise.all([ask(secret), ask(secret, '/v1/messages', 'backed-up')]);
    const { body } = await browser.call(contract.overview);
    expect(body['account']).toEqual((await browser.call(contract.account)).body);
    expect(body['api_used']).toBe(true);
    const days = body['days'] as readonly { readonly day: string; readonly model: string; readonly tokens: number; readonly charged: { readonly svc_tokens: string; readonly usd: string } }[];
    expect(days.map(({ day, model }) => `${day} ${model}`)).toEqual(['2026-11-18 small', '2026-11-19 backed-up', '2026-11-19 small']);
    const { data } = (await browser.call(contract.listUsage)).body as { readonly data: readonly { readonly svc_tokens_debited: string; readonly usage: { readonly total_tokens: number } }[] };
    expect(days.reduce((sum, { tokens }) => sum + tokens, 0)).toBe(data.reduce((sum, { usage }) => sum + usage.total_tokens, 0));
    const each = ServiceTokens.parse(data[0]?.svc_tokens_debited ?? '');
    expect(body['spend']).toMatchObject({ today: { svc_tokens: each.plus(each).toString() }, month: { svc_tokens: each.plus(each).plus(each).toString() } });
    // Two days of usage are too few to estimate how long the balance lasts.
    expect(body['runs_out_in_days']).toBeNull();
    expect(entriesOf(await browser.call(contract.overview))).toEqual(entriesOf(await browser.call(contract.activity, { query: { limit: 5 } })));
  });
});

describe('the estimate of how long the balance lasts', () => {
  it('is a number of requests, and after three days of spending also a number of days', async () => {
    const { browser, secret, signIn } = await addOwner('bea');
    const usual = (await browser.call(contract.me)).body['usual_request'] as { readonly model: string; readonly needs: JsonObject; readonly requests_left: number };
    expect([usual.model, usual.requests_left > 0]).toEqual(['small', true]);
    for (let day = 0; day < 3; day += 1) {
      await ask(secret);
      running.clock.advance(MILLISECONDS_PER_DAY);
    }
    await signIn();
    const { body } = await browser.call(contract.overview);
    expect(body['usual_request']).toMatchObject({ model: 'small', needs: usual.needs });
    const { spend: { last_7_days: { svc_tokens: charged } } } = body as unknown as { readonly spend: { readonly last_7_days: { readonly svc_tokens: string } } };
    const spent = Number(charged);
    expect(body['runs_out_in_days']).toBe(Math.floor((10 - spent - Number(usual.needs['svc_tokens'])) * 4 / spent));
  });
});

describe('the profile', () => {
  it('has the names of the person and of the account, which the owner changes separately', async () => {
    const { browser } = await addOwner('bob');
    const changed = await browser.call(contract.changeProfile, { body: { name: ' Bob B. ' } });
    expect(changed.body).toMatchObject({ person: { name: 'Bob B.' }, account: { name: 'Ann Example' } });
    expect((await browser.call(contract.changeProfile, { body: { account_name: 'Bob & Co.' } })).body).toMatchObject({ person: { name: 'Bob B.' }, account: { name: 'Bob & Co.' } });
    expect((await browser.call(contract.me)).body).toMatchObject({ person: { name: 'Bob B.' }, account: { name: 'Bob & Co.' } });
    expect((await browser.call(contract.activity)).body).toMatchObject({ data: [{ action: 'account.changed', by: 'owner', address: '127.0.0.1' }, { action: 'person.renamed' }, {}, {}, {}, {}, {}] });
  });

  it('has the language of messages, which the owner changes', async () => {
    const { browser } = await addOwner('leo');
    expect((await browser.call(contract.me)).body).toMatchObject({ person: { language: null } });
    expect((await browser.call(contract.changeLanguage, { body: { language: 'de' } })).status).toBe(204);
    expect((await browser.call(contract.me)).body).toMatchObject({ person: { language: 'de' } });
    expect(errorOf(await browser.call(contract.changeLanguage, { body: { language: 'fr' } as never }))).toBe('400 invalid_request');
  });

  it.each([{}, { name: ' ' }, { name: 'a\nb' }, { account_name: 'x'.repeat(201) }, { email: 'eve@example.com' }])('is not changed by the invalid body %j', async (body) => {
    const { browser } = await addOwner(`names-${JSON.stringify(body).length}`);
    expect(errorOf(await browser.call(contract.changeProfile, { body }))).toBe('400 invalid_request');
    expect((await browser.call(contract.me)).body).toMatchObject({ person: { name: 'Ann Example' }, account: { name: 'Ann Example' } });
  });
});

describe('the activity', () => {
  it('is read in pages, and states that an operator made a change, but not which one or from which address', async () => {
    const { browser, accountId } = await addOwner('cat');
    const operator = { kind: 'operator', id: 'person_boss', origin: { place: 'command-line', user: 'boss', address: '10.0.0.9', via: null } } as const;
    await running.gateway.accountAdministration.change(accountId, { name: 'Cat' }, operator);
    const whole = await browser.call(contract.activity);
    expect(entriesOf(whole)[0]).toMatchObject({ action: 'account.changed', by: 'operator', address: null });
    expect(whole.text).not.toMatch(/boss|10\.0\.0\.9/);
    expect(entriesOf(whole).filter((entry) => 'reason' in entry)).toEqual([]);
    const paged: JsonObject[] = [];
    for (let cursor: string | null = ''; cursor !== null;) {
      const page: PageReply = await browser.call(contract.activity, { query: { limit: 2, ...(cursor === '' ? {} : { cursor }) } });
      paged.push(...entriesOf(page));
      cursor = page.body['next_cursor'] as string | null;
    }
    expect(paged).toEqual(entriesOf(whole));
    expect(errorOf(await browser.call(contract.activity, { query: { cursor: 'x' } }))).toBe('400 invalid_request');
  });
});

describe('the deletion of an account', () => {
  it('requires a recent proof and is audited as the owner’s act; API requests are refused until it is cancelled', async () => {
    const { browser, secret, signIn } = await addOwner('dan');
    running.clock.advance(MILLISECONDS_PER_HOUR);
    expect(errorOf(await browser.call(contract.requestDeletion))).toBe('403 fresh_proof_required');
    await signIn();
    const requested = await browser.call(contract.requestDeletion);
    expect(requested.body).toMatchObject({ standing: 'pending-deletion', deletion_due_at: new Date(running.clock.now() + 30 * MILLISECONDS_PER_DAY).toISOString() });
    for (const { path } of FORMATS) expect(await ask(secret, path)).toBe('403 account_inactive');
    running.clock.advance(1000);
    expect((await browser.call(contract.requestDeletion)).body).toEqual(requested.body);
    expect(errorOf(await browser.call(contract.createKey, { body: {} }))).toBe('403 account_inactive');
    expect((await browser.call(contract.overview)).status).toBe(200);
    const [entry] = entriesOf(await browser.call(contract.activity));
    expect(entry).toMatchObject({ action: 'account.deletion-requested', by: 'owner' });
    expect((await browser.call(contract.cancelDeletion)).body).toMatchObject({ standing: 'good', deletion_due_at: null });
    expect((await browser.call(contract.cancelDeletion)).body).toMatchObject({ standing: 'good' });
    for (const { path } of FORMATS) expect(await ask(secret, path)).toBe('200');
  });

  it('is refused if its owner is the last operator', async () => {
    const { browser } = await addOwner('boss', 'operator');
    expect(errorOf(await browser.call(contract.requestDeletion))).toBe('409 conflict');
    expect((await browser.call(contract.me)).body).toMatchObject({ account: { standing: 'good' } });
  });
});
