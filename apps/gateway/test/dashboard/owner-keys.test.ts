import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { contract } from '@tollgate/api-contract';
import { type AccountId, type JsonObject, MILLISECONDS_PER_HOUR, ServiceTokens, NO_AUDIT_FILTERS, SYSTEM_ACTOR } from '@tollgate/core';
import { startTestGateway, type TestGateway } from '../../src/test-support/start-test-gateway.js';
import { addPerson, type PageReply, TestBrowser, textOf } from '../../src/test-support/test-browser.js';

let running: TestGateway;

interface Owner { readonly browser: TestBrowser; readonly accountId: AccountId }

async function signIn(name: string): Promise<Owner> {
  const { person, password } = await addPerson(running.gateway, `${name}@example.com`);
  const browser = new TestBrowser(running.gateway);
  expect((await browser.call(contract.signIn, { body: { email: person.email, password } })).status).toBe(200);
  if (person.accountId === null) throw new Error('the verified person has no account');
  return { browser, accountId: person.accountId };
}

function idOf(reply: PageReply): string {
  return textOf(reply, 'id');
}

async function ask(secret: string, model = 'small'): Promise<number> {
  const headers = { authorization: `Bearer ${secret}` };
  return (await running.post('/v1/chat/completions', { model, max_tokens: 10, messages: [{ role: 'user', content: 'Hi' }] }, headers)).status;
}

function errorOf({ status, body }: PageReply): readonly unknown[] {
  return [status, body.error?.code, body.error?.param];
}

beforeAll(async () => {
  running = await startTestGateway();
});
afterAll(() => running.close());

describe('the keys of an owner', () => {
  it('are created with all restrictions, listed without the secret, and neither accepted nor changed once revoked', async () => {
    const { browser, accountId } = await signIn('ann');
    await running.gateway.accountAdministration.credit({ accountId, amount: ServiceTokens.parse('100'), reference: 'first', actor: SYSTEM_ACTOR });
    const made = await browser.call(contract.createKey, {
      body: { name: ' ci ', models: ['mini'], spending_limit: { svc_tokens: '12.5', period: 'day' }, expires_at: '2027-01-01T00:00:00+01:00' },
    });
    expect([made.status, made.headers['cache-control']]).toEqual([201, 'no-store']);
    const secret = textOf(made, 'secret');
    expect(secret).toMatch(/^sk-\w{48}$/);
    expect(made.body).toMatchObject({ name: 'ci', models: ['small'], expires_at: '2026-12-31T23:00:00.000Z', spent: { svc_tokens: '0' }, requests_7_days: 0 });
    expect([await ask(secret), await ask(secret, 'halting')]).toEqual([200, 403]);

    const read = await browser.call(contract.readKey, { params: { id: idOf(made) } });
    expect(read.text).not.toContain(secret.slice(5, 40));
    expect(read.body).toMatchObject({ spending_limit: { svc_tokens: '12.5', period: 'day' }, reserved: { svc_tokens: '0' }, requests_7_days: 1, status: 'active' });
    expect(read.body['spent']).not.toMatchObject({ svc_tokens: '0' });
    expect((await browser.call(contract.listKeys)).body['data']).toEqual([read.body]);

    const changed = await browser.call(contract.changeKey, { params: { id: idOf(made) }, body: { name: null, models: null, spending_limit: null } });
    expect(changed.body).toMatchObject({ name: null, models: null, spending_limit: null, spent: null, spending_resets_at: null });

    const revoked = await browser.call(contract.revokeKey, { params: { id: idOf(made) } });
    expect([revoked.status, revoked.body['status'], await ask(secret)]).toEqual([200, 'revoked', 401]);
    expect(errorOf(await browser.call(contract.revokeKey, { params: { id: idOf(made) } }))).toEqual([409, 'conflict', undefined]);
    expect(errorOf(await browser.call(contract.rotateKey, { params: { id: idOf(made) } }))).toEqual([409, 'conflict', undefined]);
    expect(errorOf(await browser.call(contract.changeKey, { params: { id: idOf(made) }, body: { name: 'late' } }))).toEqual([409, 'conflict', undefined]);
  });

  it('are refused, and shown as at their spending limit, when less of it is left than the smallest reservation', async () => {
    const { browser, accountId } = await signIn('lim');
    await running.gateway.accountAdministration.credit({ accountId, amount: ServiceTokens.parse('100'), reference: 'first', actor: SYSTEM_ACTOR });
    const made = await browser.call(contract.createKey, { body: { name: 'ci', spending_limit: { svc_tokens: '50', period: 'day' } } });
    const secret = textOf(made, 'secret');
    expect([await ask(secret), made.body['limit_reached']]).toEqual([200, false]);
    const { spent } = (await browser.call(contract.readKey, { params: { id: idOf(made) } })).body as { readonly spent: { readonly svc_tokens: string } };
    const minimum = running.parts.catalogue.current().minimumReservation;
    const limitLeaving = async (left: ServiceTokens): Promise<unknown> => {
      const amount = ServiceTokens.parse(spent.svc_tokens).plus(left).toString();
      return (await browser.call(contract.changeKey, { params: { id: idOf(made) }, body: { spending_limit: { svc_tokens: amount, period: 'day' } } })).body['limit_reached'];
    };
    expect(await limitLeaving(minimum)).toBe(false);
    expect([await limitLeaving(minimum.minus(ServiceTokens.parse('0.000001'))), await ask(secret)]).toEqual([true, 429]);
  });

  it('keep their restrictions when rotated, and the rotation is audited as the owner’s act', async () => {
    const { browser } = await signIn('bob');
    const made = await browser.call(contract.createKey, { body: { name: 'ci', spending_limit: { svc_tokens: '5', period: 'month' } } });
    const rotated = await browser.call(contract.rotateKey, { params: { id: idOf(made) } });
    expect([rotated.status, rotated.headers['cache-control']]).toEqual([201, 'no-store']);
    expect(rotated.body).toMatchObject({ name: 'ci', spending_limit: { svc_tokens: '5', period: 'month' } });
    expect(rotated.body['secret']).not.toBe(made.body['secret']);
    expect(await ask(textOf(made, 'secret'))).toBe(401);
    const [first, second] = (await browser.call(contract.listKeys)).body['data'] as readonly JsonObject[];
    expect([first?.['id'], second?.['status']]).toEqual([idOf(rotated), 'revoked']);
    const acts = await running.parts.store.auditTrail.list({ ...NO_AUDIT_FILTERS, actorKind: 'owner', limit: 100, cursor: null });
    expect(acts?.records.filter(({ subject }) => subject === idOf(made)).map(({ action, origin }) => [action, origin?.address]))
      .toEqual([['key.revoked', '127.0.0.1'], ['key.created', '127.0.0.1']]);
  });

  it.each([
    ['models', { models: ['small', 'unknown'] }], ['models', { models: [] }], ['name', { name: ' ' }], ['name', { name: 'a\u0000b' }], ['expires_at', { expires_at: '2020-01-01T00:00:00Z' }],
    ['expires_at', { expires_at: 'tomorrow' }], ['spending_limit.svc_tokens', { spending_limit: { svc_tokens: '0.000', period: 'day' } }],
    ['spending_limit.svc_tokens', { spending_limit: { svc_tokens: '1.0000001', period: 'day' } }], ['spending_limit.period', { spending_limit: { svc_tokens: '1', period: 'year' } }],
  ] as const)('are not created with an invalid field, which the refusal names (%s): %j', async (field, body) => {
    const { browser } = await signIn(`refused-${JSON.stringify(body).length}-${field.length}`);
    const reply = await browser.call(contract.createKey, { body: body as never });
    expect([reply.status, reply.body.error?.code, reply.body.error?.param?.replace(/\[\d\]$/, '')]).toEqual([400, 'invalid_request', field]);
    expect((await browser.call(contract.listKeys)).body['data']).toEqual([]);
  });

  it('are not changed by an empty body', async () => {
    const { browser } = await signIn('idle');
    const made = await browser.call(contract.createKey, { body: {} });
    expect(errorOf(await browser.call(contract.changeKey, { params: { id: idOf(made) }, body: {} }))).toEqual([400, 'invalid_request', undefined]);
  });

  it('cannot be more than the plan allows', async () => {
    const { browser } = await signIn('eve');
    const replies = await Promise.all(Array.from({ length: 7 }, () => browser.call(contract.createKey, { body: {} })));
    expect(replies.map(errorOf).filter(([status]) => status !== 201)).toEqual(Array.from({ length: 2 }, () => [409, 'key_quota_exceeded', undefined]));
  });

  it('are created at most 20 times an hour, not counting rotations; the refusal states when to retry', async () => {
    const { browser } = await signIn('dan');
    let last = '';
    for (let made = 0; made < 20; made += 1) {
      if (last !== '') await browser.call(contract.revokeKey, { params: { id: last } });
      last = idOf(await browser.call(contract.createKey, { body: {} }));
      running.clock.advance(1000);
    }
    expect((await browser.call(contract.rotateKey, { params: { id: last } })).status).toBe(201);
    const refused = await browser.call(contract.createKey, { body: {} });
    expect(errorOf(refused)).toEqual([429, 'key_creations_exceeded', undefined]);
    expect(refused.headers['retry-after']).toBe('3580');
    running.clock.advance(MILLISECONDS_PER_HOUR - 20_000);
    expect((await browser.call(contract.createKey, { body: {} })).status).toBe(201);
  });

  it('are rotated at most 60 times an hour; the refusal states when to retry', async () => {
    const { browser } = await signIn('ron');
    let last = await browser.call(contract.createKey, { body: {} });
    for (let rotated = 0; rotated < 60; rotated += 1) {
      last = await browser.call(contract.rotateKey, { params: { id: idOf(last) } });
      expect(last.status).toBe(201);
      running.clock.advance(1000);
    }
    const refused = await browser.call(contract.rotateKey, { params: { id: idOf(last) } });
    expect([errorOf(refused), refused.headers['retry-after']]).toEqual([[429, 'key_creations_exceeded', undefined], '3540']);
    expect((await browser.call(contract.createKey, { body: {} })).status).toBe(201);
    running.clock.advance(MILLISECONDS_PER_HOUR - 60_000);
    expect((await browser.call(contract.rotateKey, { params: { id: idOf(last) } })).status).toBe(201);
  });

  it('are listed in pages, also by /v1/api-keys', async () => {
    const { browser } = await signIn('pat');
    const made: PageReply[] = [];
    for (let count = 0; count < 3; count += 1) {
      made.unshift(await browser.call(contract.createKey, { body: {} }));
      running.clock.advance(1);
    }
    const first = await browser.call(contract.listKeys, { query: { limit: 2 } });
    expect(first.body).toMatchObject({ data: made.slice(0, 2).map((each) => ({ id: idOf(each) })), has_more: true });
    const second = await browser.call(contract.listKeys, { query: { limit: 2, cursor: textOf(first, 'next_cursor') } });
    expect(second.body).toMatchObject({ data: [{ id: made.at(-1)?.body['id'] }], has_more: false, next_cursor: null });
    expect(errorOf(await browser.call(contract.listKeys, { query: { cursor: running.caller.keyId } }))).toEqual([400, 'invalid_request', 'cursor']);

    const [newest, middle, oldest] = made as [PageReply, PageReply, PageReply];
    const headers = { authorization: `Bearer ${textOf(newest, 'secret')}` };
    const page = await (await running.fetch('/v1/api-keys?limit=2', { headers })).json() as JsonObject;
    expect(page).toMatchObject({ has_more: true, next_cursor: first.body['next_cursor'] });
    expect(await (await running.fetch(`/v1/api-keys?limit=2&cursor=${idOf(middle)}`, { headers })).json()).toMatchObject({ has_more: false, data: [{ id: idOf(oldest) }] });
  });
});
