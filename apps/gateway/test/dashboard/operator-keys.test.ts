import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { contract } from '@tollgate/api-contract';
import { startTestGateway, type TestGateway } from '../../src/test-support/start-test-gateway.js';
import { addPerson, type PageReply, TestBrowser, type TestPerson, textOf } from '../../src/test-support/test-browser.js';

let running: TestGateway;
let operator: TestPerson;
let browser: TestBrowser;

function codeOf({ status, body: { error } }: PageReply): string {
  return `${status} ${error?.code ?? ''} ${error?.param ?? ''}`.trim();
}

async function statusWith(secret: string, model = 'small'): Promise<number> {
  const reply = await running.post('/v1/chat/completions', { model, messages: [{ role: 'user', content: 'Hi' }] }, { authorization: `Bearer ${secret}` });
  await reply.body?.cancel();
  return reply.status;
}

beforeAll(async () => {
  running = await startTestGateway();
  operator = await addPerson(running.gateway, 'olga@example.com', 'operator');
  browser = new TestBrowser(running.gateway);
  await browser.call(contract.signIn, { body: { email: operator.person.email, password: operator.password } });
});
afterAll(() => running.close());

describe('a key that an operator creates for an account', () => {
  it('is accepted, has the requested limits, is shown once, and is audited as an act of the operator', async () => {
    const { account: { id } } = await running.addCaller('customer-1', { credit: '50' });
    const made = await browser.call(contract.createKeyOfAccount, {
      params: { id }, body: { name: 'handed over', models: ['small'], spending_limit: { svc_tokens: '5', period: 'month' }, expires_at: null },
    });
    expect([made.status, made.body['name'], made.body['models'], made.body['spending_limit']]).toEqual([201, 'handed over', ['small'], { svc_tokens: '5', period: 'month' }]);
    expect(await statusWith(textOf(made, 'secret'))).toBe(200);
    const entry = (await running.trail()).find(({ subject }) => subject === made.body['id']);
    expect([entry?.action, entry?.actor.kind, entry?.actor.id, entry?.accountId]).toEqual(['key.created', 'operator', operator.person.id, id]);
    const listed = await browser.call(contract.listKeysOfAccount, { params: { id } });
    expect(JSON.stringify(listed.body)).not.toContain(textOf(made, 'secret'));
  });

  it('can be changed until it is revoked, and keeps the settings that a change omits', async () => {
    const { account: { id } } = await running.addCaller('customer-2', { credit: '50' });
    const made = await browser.call(contract.createKeyOfAccount, { params: { id }, body: { name: 'first' } });
    const params = { id, key: textOf(made, 'id') };
    const changed = await browser.call(contract.changeKeyOfAccount, { params, body: { spending_limit: { svc_tokens: '0.000001', period: 'day' } } });
    expect(changed.body).toMatchObject({ name: 'first', models: null, spending_limit: { svc_tokens: '0.000001', period: 'day' } });
    expect(await statusWith(textOf(made, 'secret'))).toBe(429);
    await browser.call(contract.revokeKeyOfAccount, { params });
    expect(codeOf(await browser.call(contract.changeKeyOfAccount, { params, body: { name: 'second' } }))).toBe('409 conflict');
  });

  it('is refused if a field is invalid or the account unknown or deleted, and cannot be changed under another account', async () => {
    const [{ account: { id } }, { account: other }] = [await running.addCaller('customer-3'), await running.addCaller('customer-4')];
    const create = async (body: object, account: string = id) => codeOf(await browser.call(contract.createKeyOfAccount, { params: { id: account }, body }));
    expect(await create({ models: ['none'] })).toBe('400 invalid_request models');
    expect(await create({ expires_at: '2020-01-01T00:00:00Z' })).toBe('400 invalid_request expires_at');
    expect(await create({ spending_limit: { svc_tokens: '-1', period: 'day' } })).toContain('400 invalid_request spending_limit');
    expect(await create({}, 'acct_none')).toBe('404 not_found');
    const made = await browser.call(contract.createKeyOfAccount, { params: { id }, body: {} });
    expect(codeOf(await browser.call(contract.changeKeyOfAccount, { params: { id: other.id, key: textOf(made, 'id') }, body: { name: 'x' } }))).toBe('404 not_found');
    await browser.call(contract.deleteAccount, { params: { id: other.id }, body: { now: true } });
    expect(await create({}, other.id)).toBe('409 conflict');
  });

  it('can be created and changed by operators only: the owner of the account gets 404', async () => {
    const { person, password } = await addPerson(running.gateway, 'ann@example.com');
    const ann = new TestBrowser(running.gateway);
    await ann.call(contract.signIn, { body: { email: person.email, password } });
    const params = { id: String(person.accountId) };
    expect(codeOf(await ann.call(contract.createKeyOfAccount, { params, body: {} }))).toBe('404 not_found');
    expect(codeOf(await ann.call(contract.changeKeyOfAccount, { params: { ...params, key: 'key_none' }, body: { name: 'x' } }))).toBe('404 not_found');
  });
});
