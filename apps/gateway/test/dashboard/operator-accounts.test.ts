import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { contract } from '@tollgate/api-contract';
import { type JsonObject, MILLISECONDS_PER_MINUTE, ServiceTokens, SYSTEM_ACTOR } from '@tollgate/core';
import { startTestGateway, type TestCaller, type TestGateway } from '../../src/test-support/start-test-gateway.js';
import { addPerson, type PageReply, TestBrowser, type TestPerson, textOf } from '../../src/test-support/test-browser.js';

let running: TestGateway;
let operator: TestPerson;
let browser: TestBrowser;
let customers = 0;

function addCustomer(credit = '0'): Promise<TestCaller> {
  customers += 1;
  return running.addCaller(`customer-${customers}`, { credit });
}

function idsOf({ body }: PageReply): readonly unknown[] {
  return (body['data'] as readonly JsonObject[]).map(({ id }) => id);
}

function refusalOf({ status, body: { error } }: PageReply): string {
  return `${status} ${error?.code ?? ''} ${error?.param ?? ''}: ${error?.message ?? ''}`;
}

async function search(q: string): Promise<readonly unknown[]> {
  return idsOf(await browser.call(contract.listAccounts, { query: { q } }));
}

/** Audited acts on a subject with their actors, oldest first. */
async function trailOf(subject: string): Promise<readonly string[]> {
  return (await running.trail()).filter((entry) => entry.subject === subject).map(({ action, actor }) => `${action} ${actor.kind} ${actor.id}`);
}

beforeAll(async () => {
  running = await startTestGateway();
  operator = await addPerson(running.gateway, 'olga@example.com', 'operator');
  browser = new TestBrowser(running.gateway);
  await browser.call(contract.signIn, { body: { email: operator.person.email, password: operator.password } });
});
afterAll(() => running.close());

describe('accounts', () => {
  it('are listed oldest first in pages', async () => {
    await addCustomer();
    const first = await browser.call(contract.listAccounts, { query: { limit: 1 } });
    expect([idsOf(first), first.body['has_more']]).toEqual([[running.caller.account.id], true]);
    const rest = await browser.call(contract.listAccounts, { query: { limit: 100, cursor: textOf(first, 'next_cursor') } });
    expect(idsOf(rest)).toContain(operator.person.accountId);
    expect(idsOf(rest)).not.toContain(running.caller.account.id);
  });

  it('are found by part of a name or address, by the id of account, key or owner, and by the end of a key', async () => {
    const { account, key, keyId } = await addCustomer();
    const { person } = await addPerson(running.gateway, 'found@example.com');
    await browser.call(contract.changeAccount, { params: { id: account.id }, body: { name: 'Rocket GmbH' } });
    expect(await search(account.email.toUpperCase())).toEqual([account.id]);
    expect(await search(person.id)).toEqual([person.accountId]);
    for (const q of [account.id, keyId, key.slice(-4), `sk-00…${key.slice(-4)}`, ' rocket ', account.email.slice(1)]) expect(await search(q)).toEqual([account.id]);
    for (const q of ['rockets', 'other@example.test', 'acct_none', key]) expect(await search(q)).toEqual([]);
    expect(await search(' ')).toContain(account.id);
  });

  it('are filtered and sorted in pages; a cursor is refused with another order', async () => {
    const [poor, rich] = [await addCustomer('1.5'), await addCustomer('3')];
    for (const { account: { id } } of [poor, rich]) await browser.call(contract.changeAccount, { params: { id }, body: { name: 'Narrowed' } });
    await running.post('/v1/chat/completions', { model: 'small', messages: [{ role: 'user', content: 'Hi' }] }, { authorization: `Bearer ${rich.key}` });
    const today = new Date(running.clock.now()).toISOString().slice(0, 10);
    const list = async (query: object) => browser.call(contract.listAccounts, { query: { q: 'narrowed', ...query } });
    expect(idsOf(await list({ available_below: '2' }))).toEqual([poor.account.id]);
    expect([idsOf(await list({ used_since: today })), idsOf(await list({ unused_since: today }))]).toEqual([[rich.account.id], [poor.account.id]]);
    expect([idsOf(await list({ standing: 'good', plan: poor.account.planId })).length, idsOf(await list({ standing: 'suspended' })), idsOf(await list({ plan: 'none' }))]).toEqual([2, [], []]);
    const first = await list({ sort: '-available', limit: 1 });
    expect([idsOf(first), (first.body['data'] as readonly JsonObject[])[0]?.['last_used_on'], first.body['has_more']]).toEqual([[rich.account.id], today, true]);
    const rest = { sort: '-available', limit: 1, cursor: textOf(first, 'next_cursor') };
    expect(idsOf(await list(rest))).toEqual([poor.account.id]);
    for (const query of [{ ...rest, sort: 'available' }, { cursor: poor.account.id }, { cursor: Buffer.from('["created","x","acct_1"]').toString('base64url') }]) {
      expect(refusalOf(await list(query))).toContain('400 invalid_request cursor');
    }
    for (const query of [{ standing: 'fine' }, { sort: 'price' }, { available_below: '-1' }, { used_since: '2026-02-30' }]) {
      expect(refusalOf(await list(query))).toContain(`400 invalid_request ${Object.keys(query)[0] ?? ''}`);
    }
  });

  it('are created once per address, on an existing plan', async () => {
    const made = await browser.call(contract.createAccount, { body: { email: 'New@Example.com', name: ' Ada ' } });
    expect([made.status, made.body['standing'], made.body['name'], made.body['plan']]).toEqual([201, 'email-unverified', 'Ada', 'pay-as-you-go']);
    expect(await trailOf(textOf(made, 'id'))).toEqual([`account.created operator ${operator.person.id}`]);
    const again = { email: 'new@example.com', name: 'Ada' };
    expect(refusalOf(await browser.call(contract.createAccount, { body: again }))).toBe('409 conflict email: An account with the address new@example.com already exists.');
    expect(refusalOf(await browser.call(contract.createAccount, { body: { email: 'ada', name: 'Ada' } }))).toContain('400 invalid_request email');
    expect(refusalOf(await browser.call(contract.createAccount, { body: { email: 'b@example.com', name: 'B', plan: 'none' } }))).toContain('400 invalid_request plan: plan: must be one of ');
    expect(refusalOf(await browser.call(contract.createAccount, { body: { email: 'b@example.com', name: ' ' } }))).toContain('400 invalid_request name');
    expect((await browser.call(contract.createAccount, { body: { email: 'b@\texample.com', name: ' ' } })).body.error).toMatchObject({
      param: 'email', errors: [{ field: 'email', code: 'control_characters' }, { field: 'name', code: 'empty' }],
    });
  });

  it('are shown with balance, limits, usage, keys and owner', async () => {
    const { person, password } = await addPerson(running.gateway, 'ann@example.com');
    const params = { id: String(person.accountId) };
    const ann = new TestBrowser(running.gateway);
    await ann.call(contract.signIn, { body: { email: person.email, password } });
    const key = await ann.call(contract.createKey, { body: { name: 'ci' } });
    await browser.call(contract.creditAccount, { params, body: { svc_tokens: '7.5', reference: 'first', reason: 'a gift' } });
    const { body } = await browser.call(contract.readAccount, { params });
    expect(body).toMatchObject({
      email: 'ann@example.com', standing: 'good', balance: { available: { svc_tokens: '7.5' }, reserved: { svc_tokens: '0' } }, used: { api_keys: 1, tokens_today: 0 },
      keys: { data: [{ id: key.body['id'], name: 'ci', status: 'active' }], has_more: false }, person: { id: person.id, role: 'owner', sessions: 1, factors: [] },
    });
    expect(body['limits']).toEqual((await ann.call(contract.account)).body['limits']);
    expect(idsOf(await browser.call(contract.listKeysOfAccount, { params }))).toEqual([key.body['id']]);
    expect(refusalOf(await browser.call(contract.readAccount, { params: { id: 'acct_none' } }))).toBe('404 not_found : There is no account acct_none.');
  });

  it('can be given another name or plan, but not an unknown plan', async () => {
    const { account } = await addCustomer();
    const params = { id: account.id };
    expect((await browser.call(contract.changeAccount, { params, body: { name: 'Ada' } })).body).toMatchObject({ name: 'Ada', plan: account.planId });
    expect((await browser.call(contract.changeAccount, { params, body: { plan: 'pay-as-you-go' } })).body).toMatchObject({ name: 'Ada', plan: 'pay-as-you-go' });
    expect(refusalOf(await browser.call(contract.changeAccount, { params, body: { plan: 'none' } }))).toContain('400 invalid_request plan');
    expect(refusalOf(await browser.call(contract.changeAccount, { params, body: {} }))).toContain('400 invalid_request');
    expect(refusalOf(await browser.call(contract.changeAccount, { params: { id: 'acct_none' }, body: { name: 'Ada' } }))).toContain('404 not_found');
  });
});

describe('an act of money', () => {
  it('is booked once per reference, whatever its kind, and listed with its reason', async () => {
    const { account: { id }, key } = await addCustomer();
    const params = { id };
    const credit = { svc_tokens: '100', reference: 'invoice 1', reason: 'paid' };
    const credited = await browser.call(contract.creditAccount, { params, body: credit });
    expect(credited.body).toMatchObject({ outcome: 'booked', kind: 'top-up', svc_tokens: '100', balance: { available: { svc_tokens: '100' } } });
    const repeated = await browser.call(contract.creditAccount, { params, body: credit });
    expect(repeated.body).toEqual({ ...credited.body, outcome: 'repeated' });
    expect(refusalOf(await browser.call(contract.creditAccount, { params, body: { ...credit, svc_tokens: '101' } })))
      .toBe('409 conflict : The reference invoice 1 was already used for something else; nothing was booked.');

    const asked = await running.post('/v1/chat/completions', { model: 'small', messages: [{ role: 'user', content: 'Hi' }] }, { authorization: `Bearer ${key}` });
    const request = asked.headers.get('x-request-id') ?? '';
    const { usage } = await asked.json() as { readonly usage: { readonly svc_tokens_debited: string } };
    const refund = { svc_tokens: usage.svc_tokens_debited, request_id: request, reference: 'ticket 2', reason: 'slow' };
    expect(refusalOf(await browser.call(contract.refundRequest, { params, body: { ...refund, svc_tokens: '99' } })))
      .toBe(`409 conflict : At most ${usage.svc_tokens_debited} service tokens of this request can still be refunded.`);
    expect((await browser.call(contract.refundRequest, { params, body: refund })).body).toMatchObject({ outcome: 'booked', kind: 'refund', balance: { total: { svc_tokens: '100' } } });
    expect(refusalOf(await browser.call(contract.refundRequest, { params, body: { ...refund, request_id: 'req_none', reference: 'b' } }))).toContain('404 not_found : Account');

    expect((await browser.call(contract.correctBalance, { params, body: { svc_tokens: '-0.5', reference: 'c', reason: 'typo' } })).body)
      .toMatchObject({ outcome: 'booked', svc_tokens: '-0.5', balance: { total: { svc_tokens: '99.5' } } });
    expect(refusalOf(await browser.call(contract.correctBalance, { params, body: { svc_tokens: '-99.500001', reference: 'd', reason: 'typo' } })))
      .toBe('409 conflict : Only 99.5 service tokens are available; those held by running requests cannot be taken.');

    const first = await browser.call(contract.listMoneyActs, { params, query: { limit: 2 } });
    expect(first.body).toMatchObject({ has_more: true, data: [{ kind: 'correction', svc_tokens: '-0.5', reason: 'typo' }, { kind: 'refund', request_id: request, reason: 'slow' }] });
    const second = await browser.call(contract.listMoneyActs, { params, query: { cursor: textOf(first, 'next_cursor') } });
    expect(second.body).toMatchObject({ has_more: false, data: [{ kind: 'top-up', svc_tokens: '100', reference: 'invoice 1', reason: 'paid', request_id: null }] });
    const by = { kind: 'operator', id: operator.person.id };
    expect([first, second].flatMap(({ body }) => (body['data'] as readonly { readonly by: unknown }[]).map((act) => act.by))).toEqual([by, by, by]);
    await running.gateway.accountAdministration.credit({ accountId: id, amount: ServiceTokens.parse('1'), reference: 'invoice 9', actor: SYSTEM_ACTOR });
    expect((await browser.call(contract.listMoneyActs, { params, query: { limit: 1 } })).body).toMatchObject({ data: [{ reference: 'invoice 9', by: { kind: 'system', id: 'system' } }] });
    expect(refusalOf(await browser.call(contract.listMoneyActs, { params, query: { cursor: 'x' } }))).toContain('400 invalid_request cursor');
    expect((await trailOf(id)).slice(1, -1)).toEqual(['account.credited', 'account.refund', 'account.correction'].map((action) => `${action} operator ${operator.person.id}`));
  });

  it.each([
    ['svc_tokens', { svc_tokens: '0' }], ['svc_tokens', { svc_tokens: '-1' }], ['svc_tokens', { svc_tokens: '1.0000001' }], ['svc_tokens', { svc_tokens: 1 }],
    ['reference', { reference: ' ' }], ['reference', { reference: 'r'.repeat(201) }], ['reason', { reason: '' }], ['reason', { reason: 'r'.repeat(501) }], ['reason', { reason: undefined }],
  ] as const)('is refused with the field name %s: %j', async (field, difference) => {
    const body = { svc_tokens: '1', reference: 'r', reason: 'r', ...difference } as never;
    const reply = await browser.call(contract.creditAccount, { params: { id: running.caller.account.id }, body });
    expect([reply.status, reply.body.error?.param]).toEqual([400, field]);
  });

  it('is refused if the amount is zero or the account unknown', async () => {
    const params = { id: running.caller.account.id };
    expect(refusalOf(await browser.call(contract.correctBalance, { params, body: { svc_tokens: '-0.0', reference: 'r', reason: 'r' } }))).toContain('400 invalid_request svc_tokens');
    expect(refusalOf(await browser.call(contract.creditAccount, { params, body: { svc_tokens: '999999999999', reference: 'much', reason: 'r' } }))).not.toContain('500');
    const none = { params: { id: 'acct_none' }, body: { svc_tokens: '1', reference: 'r', reason: 'r' } };
    expect(refusalOf(await browser.call(contract.creditAccount, none))).toBe('404 not_found : There is no account acct_none.');
    expect(refusalOf(await browser.call(contract.listMoneyActs, { params: none.params }))).toContain('404');
  });
});

describe('the standing', () => {
  it('of a suspended or blocked account disables its keys; a second suspension is reported as no change', async () => {
    const { account: { id }, key } = await addCustomer('10');
    const params = { id };
    const read = async (): Promise<string> => {
      const reply = await running.fetch('/v1/account', { headers: { authorization: `Bearer ${key}` } });
      return reply.ok ? '' : (await reply.json() as { error: { code: string } }).error.code;
    };
    expect((await browser.call(contract.suspendAccount, { params, body: { reason: 'abuse' } })).body).toMatchObject({ standing: 'suspended', outcome: 'changed' });
    expect((await browser.call(contract.suspendAccount, { params, body: { reason: 'abuse' } })).body).toMatchObject({ outcome: 'unchanged' });
    expect(await read()).toBe('account_inactive');
    expect((await browser.call(contract.reactivateAccount, { params })).body).toMatchObject({ standing: 'good' });
    expect((await browser.call(contract.blockAccount, { params })).body).toMatchObject({ blocked: true });
    expect(await read()).toBe('account_blocked');
    expect((await browser.call(contract.unblockAccount, { params })).body).toMatchObject({ standing: 'good' });
    expect(await read()).toBe('');
    expect(refusalOf(await browser.call(contract.suspendAccount, { params: { id: 'acct_none' }, body: { reason: 'abuse' } }))).toContain('404 not_found');
  });

  it('of an account changes when its deletion is scheduled or cancelled, or done at once after a recent proof', async () => {
    const { account: { id } } = await addCustomer('7');
    const params = { id };
    const scheduled = await browser.call(contract.deleteAccount, { params, body: {} });
    expect(scheduled.body).toMatchObject({ outcome: 'changed', status: 'pending-deletion', forfeited: null });
    expect(Date.parse(textOf(scheduled, 'deletion_due_at')) - running.clock.now()).toBe(30 * 24 * 60 * MILLISECONDS_PER_MINUTE);
    expect((await browser.call(contract.cancelDeletionOfAccount, { params })).body).toMatchObject({ status: 'active', deletion_due_at: null });

    running.clock.advance(10 * MILLISECONDS_PER_MINUTE);
    expect(refusalOf(await browser.call(contract.deleteAccount, { params, body: { now: true } }))).toContain('403 fresh_proof_required');
    await browser.call(contract.signIn, { body: { email: operator.person.email, password: operator.password } });
    expect((await browser.call(contract.deleteAccount, { params, body: { now: true } })).body)
      .toMatchObject({ outcome: 'deleted', status: 'deleted', forfeited: '7', balance: { total: { svc_tokens: '0' } } });
    expect((await browser.call(contract.deleteAccount, { params, body: { now: true } })).body).toMatchObject({ outcome: 'deleted-already', forfeited: null });
    expect(refusalOf(await browser.call(contract.cancelDeletionOfAccount, { params }))).toBe('409 conflict : The account is deleted and cannot be changed.');
    expect(refusalOf(await browser.call(contract.creditAccount, { params, body: { svc_tokens: '1', reference: 'r', reason: 'r' } }))).toBe(`409 conflict : Account ${id} is deleted.`);
  });

  it('of a suspended account has a reason, which the owner sees until the account is reactivated', async () => {
    const owner = await addPerson(running.gateway, 'owner@example.com');
    const page = new TestBrowser(running.gateway);
    await page.call(contract.signIn, { body: { email: owner.person.email, password: owner.password } });
    const params = { id: String(owner.person.accountId) };
    const read = async (): Promise<unknown> => [
      ((await page.call(contract.me)).body['account'] as JsonObject)['standing_reason'], (await browser.call(contract.readAccount, { params })).body['standing_reason'],
    ];
    for (const reason of ['', ' ', 'x'.repeat(501), 'two\nlines']) {
      expect(refusalOf(await browser.call(contract.suspendAccount, { params, body: { reason } }))).toContain('400 invalid_request reason');
    }
    await browser.call(contract.suspendAccount, { params, body: { reason: 'A key was used from 40 countries.' } });
    expect(await read()).toEqual(['A key was used from 40 countries.', 'A key was used from 40 countries.']);
    await browser.call(contract.suspendAccount, { params, body: { reason: 'Another reason' } });
    expect(await read()).toEqual(['A key was used from 40 countries.', 'A key was used from 40 countries.']);
    await browser.call(contract.reactivateAccount, { params });
    expect(await read()).toEqual([null, null]);
  });

  it('of an operator’s own account cannot be changed by that operator', async () => {
    const params = { id: String(operator.person.accountId) };
    const refused = [
      await browser.call(contract.suspendAccount, { params, body: { reason: 'abuse' } }), await browser.call(contract.blockAccount, { params }),
      await browser.call(contract.block, { body: { kind: 'account', subject: params.id } }),
      await browser.call(contract.deleteAccount, { params, body: {} }), await browser.call(contract.deleteAccount, { params, body: { now: true } }),
    ];
    expect(refused.map(({ status, body }) => [status, body.error?.code])).toEqual(refused.map(() => [409, 'conflict']));
    expect((await browser.call(contract.verifyAccount, { params })).body).toMatchObject({ outcome: 'unchanged', standing: 'good' });
  });

  it('of a key changes when operators block, unblock or revoke the key, and decides whether the key is accepted', async () => {
    const { account: { id }, key, keyId } = await addCustomer();
    const params = { id, key: keyId };
    const status = async (): Promise<number> => (await running.fetch('/v1/account', { headers: { authorization: `Bearer ${key}` } })).status;
    expect([(await browser.call(contract.blockKey, { params })).body['blocked'], await status()]).toEqual([true, 403]);
    expect([(await browser.call(contract.unblockKey, { params })).body['blocked'], await status()]).toEqual([false, 200]);
    expect([(await browser.call(contract.revokeKeyOfAccount, { params })).body['status'], await status()]).toEqual(['revoked', 401]);
    expect(refusalOf(await browser.call(contract.revokeKeyOfAccount, { params }))).toBe('409 conflict : The key is revoked.');
    const foreign = { id: running.caller.account.id, key: keyId };
    for (const route of [contract.blockKey, contract.unblockKey, contract.revokeKeyOfAccount]) expect((await browser.call(route, { params: foreign })).status).toBe(404);
  });
});
