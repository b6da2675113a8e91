import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { type AccountId, type EventType, later, MACHINE_SCOPES, type MachineId, type MachineScope, MILLISECONDS_PER_DAY, PaymentDesk, type RequestId, ServiceTokens, SimulatedPayments, SYSTEM_ACTOR, Vouchers } from '@tollgate/core';
import { adminContract, type AdminRoute } from '@tollgate/api-contract';
import { Webhooks } from '@tollgate/identity';
import { services } from '../../src/composition/services.js';
import { addPerson } from '../../src/test-support/test-browser.js';
import { type ChangeReply, type ChangeRequest, ChangesWorld } from './changes-world.js';

interface Prepared {
  /** Id of an account without a person. */
  readonly account: string;
  /** A number that no other preparation has. */
  readonly number: number;
  readonly world: ChangesWorld;
}

interface Change {
  readonly params?: (prepared: Prepared) => readonly string[] | Promise<readonly string[]>;
  readonly body?: (prepared: Prepared) => unknown;
  readonly query?: string;
  /** Changes that must precede this one. */
  readonly first?: readonly ((prepared: Prepared) => ChangeRequest)[];
  /** Audit entries that the change writes; default 1. */
  readonly entries?: number;
  /** Events that the change writes; default none. */
  readonly events?: readonly EventType[];
}

const ofAccount = ({ account }: Prepared): readonly string[] => [account];
const ofKey = async ({ account, world }: Prepared): Promise<readonly string[]> => [account, textOf(await world.send({ method: 'POST', path: `/accounts/${account}/keys`, body: {} }), 'id')];
const ofWebhook = async ({ world }: Prepared): Promise<readonly string[]> => [await onlyWebhook(world)];
const post = (path: (prepared: Prepared) => string, body?: unknown) => (prepared: Prepared): ChangeRequest => ({ method: 'POST', path: path(prepared), ...(body === undefined ? {} : { body }) });
const networkOf = ({ number }: Prepared): string => `198.51.${number}.0/24`;
const booking = (amount: string) => ({ number }: Prepared) => ({ svc_tokens: amount, reference: `order ${number}`, reason: 'an order' });

/** Every change of the contract, by its name. */
const CHANGES: Readonly<Record<string, Change>> = {
  createAccount: { events: ['account.created'], body: ({ number }) => ({ email: `new${number}@example.test`, name: 'New', external_id: `customer ${number}`, metadata: { tier: 'gold' } }) },
  changeAccount: { events: ['account.changed'], params: ofAccount, body: ({ number }) => ({ name: `Renamed ${number}`, price_list: null }) },
  requestEmailChange: { params: async ({ number, world }) => [(await addPerson(world.gateway, `person${number}@example.test`)).person.accountId ?? ''], body: ({ number }) => ({ email: `moved${number}@example.test` }) },
  suspendAccount: { events: ['account.standing_changed'], params: ofAccount, body: () => ({ reason: 'abuse' }) },
  reactivateAccount: { events: ['account.standing_changed'], params: ofAccount, first: [post(({ account }) => `/accounts/${account}/suspend`, { reason: 'abuse' })] },
  blockAccount: { events: ['account.standing_changed'], params: ofAccount },
  unblockAccount: { events: ['account.standing_changed'], params: ofAccount, first: [post(({ account }) => `/accounts/${account}/block`)] },
  scheduleDeletion: { events: ['account.standing_changed'], params: ofAccount },
  cancelDeletion: { events: ['account.standing_changed'], params: ofAccount, first: [post(({ account }) => `/accounts/${account}/deletion`)] },
  credit: { events: ['balance.booked'], params: ofAccount, body: booking('5') },
  refund: { events: ['balance.booked'], params: ({ world }) => [world.caller.account.id], body: (prepared) => ({ ...booking('0.000001')(prepared), request_id: prepared.world.requestId }) },
  correct: { events: ['balance.booked'], params: ({ world }) => [world.caller.account.id], body: booking('-0.5') },
  refundPayment: { events: ['balance.booked', 'payment.refunded'], entries: 3, params: async (prepared) => [await aPayment(prepared, 'booked')], body: () => ({ amount: '2.50', reason: 'a gift' }) },
  checkPayment: { events: ['balance.booked', 'payment.paid'], entries: 3, params: async (prepared) => [await aPayment(prepared, 'paid')] },
  createVouchers: { body: ({ number }) => ({ name: `Batch ${number}`, svc_tokens: '5', code_count: 3 }) },
  revokeVoucherBatch: { params: async ({ world }) => [await newBatch(world)] },
  createKey: { events: ['key.created'], params: ofAccount, body: () => ({ name: 'shop' }) },
  changeKey: { events: ['key.changed'], params: ofKey, body: () => ({ spending_limit: { svc_tokens: '5', period: 'day' } }) },
  rotateKey: { events: ['key.rotated'], params: ofKey, entries: 2 },
  revokeKey: { events: ['key.revoked'], params: ofKey },
  createSignInLink: { params: ({ world }) => [world.owned], body: () => ({ return_to: '/dashboard/keys' }) },
  createWebhook: { body: ({ number }) => ({ url: `https://shop.example.test/${number}`, types: ['balance.low'] }) },
  changeWebhook: { params: ofWebhook, body: ({ number }) => ({ description: `No. ${number}` }) },
  deleteWebhook: { params: ofWebhook },
  rotateWebhook: { params: ofWebhook },
  testWebhook: { params: ofWebhook },
  resendWebhook: { params: ofWebhook, query: 'since=2026-01-01T00:00:00Z' },
  block: { body: (prepared) => ({ kind: 'network', subject: networkOf(prepared), reason: 'abuse' }) },
  unblock: { params: (prepared) => [networkOf(prepared)], first: [(prepared) => ({ method: 'POST', path: '/blocks', body: { kind: 'network', subject: networkOf(prepared) } })] },
  setMaintenance: { events: ['maintenance.started'], body: ({ number }) => ({ state: 'on', message: `No. ${number}` }) },
  endMaintenance: { events: ['maintenance.ended'], first: [() => ({ method: 'PUT', path: '/maintenance', body: { state: 'on' } })] },
  setIncidentLimit: { body: ({ number }) => ({ model: 'small', requests_per_minute: number }) },
  clearIncidentLimit: { params: () => ['small'], first: [post(() => '/incident-limits', { model: 'small', requests_per_minute: 5 })] },
};

const CONTRACT: Readonly<Record<string, AdminRoute>> = adminContract;
let numbers = 0;

function routeOf(name: string): AdminRoute {
  const route = CONTRACT[name];
  if (route === undefined) throw new Error(name);
  return route;
}

function textOf(reply: ChangeReply, field: string): string {
  const value = reply.body[field];
  if (typeof value !== 'string') throw new Error(`${reply.status} ${JSON.stringify(reply.body)}`);
  return value;
}

/** Creates the objects that a change needs, for this test alone, and returns its request. */
async function prepare(name: string, world: ChangesWorld): Promise<ChangeRequest> {
  numbers += 1;
  const number = numbers;
  const account = textOf(await world.send({ method: 'POST', path: '/accounts', body: { email: `owner${number}@example.test`, name: 'Owner', email_verified: true } }), 'id');
  const prepared: Prepared = { account, number, world };
  const { params = () => [], body, query = '', first = [] } = CHANGES[name] ?? {};
  for (const request of first) expect((await world.send(request(prepared))).status).toBeLessThan(300);
  const values = [...await params(prepared)];
  const { path, method } = routeOf(name);
  return { method: method.toUpperCase(), path: path.replaceAll(/\{\w+\}/g, () => encodeURIComponent(values.shift() ?? '')) + (query === '' ? '' : `?${query}`), ...(body === undefined ? {} : { body: body(prepared) }) };
}

/** Deletes the other webhooks first, because their number is limited. */
async function onlyWebhook(world: ChangesWorld): Promise<string> {
  const webhooks = world.container.get(Webhooks);
  const by = { actor: SYSTEM_ACTOR, at: world.clock.now() };
  for (const { id, owner } of await webhooks.list(null)) await webhooks.delete({ id, owner }, by);
  return (await webhooks.create({ owner: null, url: 'https://shop.example.test/', types: null, description: '' }, by)).webhook.id;
}

/** A payment in this state, paid in the simulated checkout. */
async function aPayment({ account, world: { container, clock } }: Prepared, state: 'paid' | 'booked'): Promise<string> {
  const [desk, checkouts, accountId] = [await container.getAsync(PaymentDesk), container.get(SimulatedPayments), account as AccountId];
  const payment = await desk.start({ accountId, choice: { amount: '10' }, saveMethod: false, returnUrlOf: String, cancelUrl: '' }, { actor: SYSTEM_ACTOR, at: clock.now() });
  await checkouts.act(payment.reference ?? '', 'pay', accountId);
  if (state === 'booked') await desk.check(payment);
  return payment.id;
}

async function newBatch(world: ChangesWorld): Promise<string> {
  const terms = { name: 'Batch', note: null, amount: ServiceTokens.parse('1'), vouchers: 1, usesPerVoucher: 1, expiresAt: null, creditExpiresAfterDays: null };
  return (await world.container.get(Vouchers).create(terms, { actor: SYSTEM_ACTOR, at: world.clock.now() })).batch.id;
}

function withoutSecret(name: string, { body }: ChangeReply): unknown {
  const { secret = 'secret' } = routeOf(name);
  return secret in body ? { ...body, [secret]: null } : body;
}

it('the cases of these tests cover every change of the contract', () => {
  expect(Object.keys(CHANGES)).toEqual(Object.entries(CONTRACT).flatMap(([name, { method }]) => (method === 'get' ? [] : [name])));
});

describe.each(['sqlite', 'postgres'] as const)('changes by machines on %s', (database) => {
  let world: ChangesWorld;
  beforeAll(async () => { world = await ChangesWorld.start(database); }, 60_000);
  afterAll(() => world.close());

  interface Effects {
    readonly entries: number;
    readonly events: readonly EventType[];
  }

  function effectsOf(name: string): Effects {
    const { entries = 1, events = [] } = CHANGES[name] ?? {};
    return { entries, events };
  }

  /** Audit entries and events since `prepare`; `before` is the number of entries then. */
  async function effectsSince(before: number): Promise<Effects> {
    return { entries: await world.auditEntries() - before, events: await world.newEvents() };
  }

  async function prepareAlone(name: string): Promise<readonly [ChangeRequest, number]> {
    const request = await prepare(name, world);
    await world.newEvents();
    return [request, await world.auditEntries()];
  }

  it('have one effect when repeated under one idempotency key', async () => {
    for (const name of Object.keys(CHANGES)) {
      const [request, before] = await prepareAlone(name);
      const first = await world.send(request, { key: `after ${name}` });
      const second = await world.send(request, { key: `after ${name}`, gateway: 1 });
      const route = routeOf(name);
      expect({ name, status: first.status, misfits: route.reply?.safeParse(first.body).error?.issues, body: first.body.error }).toEqual({ name, status: route.status ?? 200, misfits: undefined, body: undefined });
      expect({ name, status: second.status, replayed: second.headers.get('idempotent-replayed'), body: second.body }).toEqual({ name, status: first.status, replayed: 'true', body: withoutSecret(name, first) });
      expect([name, first.headers.get('idempotent-replayed'), await effectsSince(before)]).toEqual([name, null, effectsOf(name)]);
      const other = await world.send({ ...request, path: request.path.includes('?') ? request.path.replace('2026-01-01', '2026-01-02') : `${request.path}?other` }, { key: `after ${name}` });
      expect([name, other.status, other.body.error?.['code'], other.body.error?.['param']]).toEqual([name, 409, 'idempotency_conflict', 'Idempotency-Key']);
    }
  }, 60_000);

  it('have one effect when sent several times at once under one idempotency key', async () => {
    for (const name of Object.keys(CHANGES)) {
      const [request, before] = await prepareAlone(name);
      const replies = await Promise.all([0, 1, 2, 3].map((gateway) => world.send(request, { key: `at once ${name}`, gateway })));
      const answered = replies.filter(({ status }) => status !== 409);
      const fresh = answered.filter(({ headers }) => headers.get('idempotent-replayed') === null);
      expect([name, fresh.length, await effectsSince(before)]).toEqual([name, 1, effectsOf(name)]);
      for (const reply of answered) expect([name, reply.status, withoutSecret(name, reply)]).toEqual([name, routeOf(name).status ?? 200, withoutSecret(name, fresh[0] ?? reply)]);
      const refusals = replies.flatMap(({ status, body: { error }, headers }) => (status === 409 ? [[error?.['code'], headers.get('retry-after')]] : []));
      expect([name, refusals]).toEqual([name, refusals.map(() => ['idempotency_conflict', '1'])]);
    }
  }, 60_000);

  it('whose stored answer was lost are answered from the current state if they are repeated after a delay', async () => {
    const claims = world.container.get(services.machineClaims);
    for (const name of Object.keys(CHANGES)) {
      const request = await prepare(name, world);
      Object.assign(claims, { storeAnswer: () => Promise.reject(new Error('the process died')) });
      const first = await world.send(request, { key: `lost ${name}` });
      Reflect.deleteProperty(claims, 'storeAnswer');
      const before = await world.auditEntries();
      await world.newEvents();
      expect([name, (await world.send(request, { key: `lost ${name}` })).headers.get('retry-after')]).toEqual([name, '1']);
      world.clock.advance(10_000);
      const recovered = await world.send(request, { key: `lost ${name}` });
      const route = routeOf(name);
      expect({ name, status: recovered.status, replayed: recovered.headers.get('idempotent-replayed'), misfits: route.reply?.safeParse(recovered.body).error?.issues, id: recovered.body['id'] })
        .toEqual({ name, status: first.status, replayed: 'true', misfits: undefined, id: first.body['id'] });
      expect([name, recovered.body[route.secret ?? 'secret'] ?? null, await effectsSince(before)]).toEqual([name, null, { entries: 0, events: [] }]);
    }
  }, 60_000);

  it('that had no effect get their first reply again when repeated, even if the state has changed since', async () => {
    const request = await prepare('blockAccount', world);
    await world.send(request);
    const first = await world.send(request, { key: 'no effect' });
    expect(first.body).toMatchObject({ outcome: 'unchanged', blocked: true });
    await world.send({ ...request, path: request.path.replace('/block', '/unblock') });
    const second = await world.send(request, { key: 'no effect', gateway: 1 });
    expect([second.body, second.headers.get('idempotent-replayed')]).toEqual([first.body, 'true']);
    expect((await world.send({ method: 'GET', path: request.path.replace('/block', '') })).body).toMatchObject({ blocked: false });
  });

  it('can be made under the same idempotency key again after a refusal', async () => {
    const request = await prepare('createAccount', world);
    const wrong = { ...request, body: { email: 'nobody', name: 'New' } };
    expect((await world.send(wrong, { key: 'refused' })).body.error).toMatchObject({ code: 'invalid_request', param: 'email' });
    expect((await world.send(request, { key: 'refused' })).status).toBe(201);
  });

  it('keep their idempotency key for a day', async () => {
    const claims = world.container.get(services.machineClaims);
    const [name, at] = [{ machineId: 'mach_other' as MachineId, key: 'k', fingerprint: 'f' }, world.clock.now()];
    const [first, second] = ['req_1', 'req_2'].map((id) => ({ ...name, requestId: id as RequestId }));
    if (first === undefined || second === undefined) throw new Error('two claims');
    const answer = { status: 200, body: '{}', accountId: null };
    expect(await claims.storeAnswer(first, answer, at)).toBe(true);
    expect(await claims.storeAnswer(second, answer, later(at, MILLISECONDS_PER_DAY - 1))).toBe(false);
    expect(await claims.find(name, later(at, MILLISECONDS_PER_DAY - 1))).toMatchObject({ requestId: 'req_1', subject: null, answer: { status: 200, body: '{}' } });
    expect(await claims.find(name, later(at, MILLISECONDS_PER_DAY))).toBeNull();
    expect(await claims.storeAnswer(second, answer, later(at, MILLISECONDS_PER_DAY))).toBe(true);
    await world.container.get(services.idempotency).sweep(later(at, 2 * MILLISECONDS_PER_DAY), at);
    expect(await claims.find(name, at)).toBeNull();
  });

  it('lose their stored answer when the account is erased, but their idempotency key stays taken', async () => {
    const { container } = world;
    const [erasure, accounts] = [container.get(services.erasure), container.get(services.accounts)];
    const [machineClaims, machineRecords] = [container.get(services.machineClaims), container.get(services.machineRecords)];
    const request = await prepare('scheduleDeletion', world);
    const id = textOf(await world.send(request, { key: 'erased' }), 'id') as AccountId;
    const account = await accounts.findById(id);
    if (account === null) throw new Error(id);
    expect((await erasure.deleteAccount(id, account, { actor: SYSTEM_ACTOR, at: world.clock.now() })).outcome).toBe('deleted');
    const machine = (await machineRecords.list()).find(({ name }) => name === 'Shop');
    const claim = await machineClaims.find({ machineId: machine?.id ?? '' as MachineId, key: 'erased' }, world.clock.now());
    expect(claim).toMatchObject({ subject: id, answer: null });
  });
});

describe('changes by machines', () => {
  let world: ChangesWorld;
  beforeAll(async () => { world = await ChangesWorld.start('sqlite'); });
  afterAll(() => world.close());

  it('are accepted only with the required scope, which the refusal of any other scope names', async () => {
    const secrets = new Map(await Promise.all(MACHINE_SCOPES.map(async (scope) => [scope, await world.secretOf(scope)] as const)));
    for (const name of Object.keys(CHANGES)) {
      const { access, status = 200 } = routeOf(name);
      const request = await prepare(name, world);
      const replies = await Promise.all([...secrets].filter(([scope]) => scope !== access).map(([, secret]) => world.send(request, { secret })));
      const told = replies.map((reply) => [reply.status, reply.body.error?.['code'], reply.body.error?.['message']]);
      expect([name, told]).toEqual([name, replies.map(() => [403, 'scope_missing', `This machine does not have the scope ${access}.`])]);
      const reply = await world.send(request, { secret: secrets.get(access as MachineScope) ?? '' });
      expect([name, reply.status]).toEqual([name, status]);
    }
  });

  it('of money are booked once per reference; a repetition returns the first entry, and another amount is refused', async () => {
    const path = `/accounts/${world.caller.account.id}/credits`;
    const order = { svc_tokens: '5', reference: 'order 7', reason: 'an order' };
    const [first, again, other] = [
      await world.send({ method: 'POST', path, body: order }), await world.send({ method: 'POST', path, body: { ...order, reason: 'sent again' } }),
      await world.send({ method: 'POST', path, body: { ...order, svc_tokens: '6' } }),
    ];
    expect(first.body).toMatchObject({ repeated: false, entry: { kind: 'top-up', svc_tokens: '5', reference: 'order 7', reason: 'an order', by: { kind: 'machine' } } });
    expect(again.body).toEqual({ ...first.body, repeated: true });
    expect([other.status, other.body.error?.['code']]).toEqual([409, 'conflict']);
  });

  it('are refused for an invalid or unknown field, which is named, and for a large body', async () => {
    const { account } = world.caller;
    const cases: readonly (readonly [ChangeRequest, number, string | null])[] = [
      [{ method: 'POST', path: '/accounts', body: { email: 'a@example.test', name: '' } }, 400, 'name'],
      [{ method: 'POST', path: '/accounts', body: { email: 'a@example.test', name: 'A', plan: 'none' } }, 400, 'plan'],
      [{ method: 'POST', path: '/accounts', body: { email: 'a@example.test', name: 'A', colour: 'red' } }, 400, 'colour'],
      [{ method: 'POST', path: '/accounts', body: { email: 'a@example.test', name: 'A', external_id: ' ' } }, 400, 'external_id'],
      [{ method: 'PATCH', path: `/accounts/${account.id}`, body: { metadata: { ['k'.repeat(41)]: '' } } }, 400, 'metadata'],
      [{ method: 'PATCH', path: `/accounts/${account.id}`, body: {} }, 400, null],
      [{ method: 'POST', path: `/accounts/${account.id}/credits`, body: { svc_tokens: '0', reference: 'r', reason: 'r' } }, 400, 'svc_tokens'],
      [{ method: 'POST', path: `/accounts/${account.id}/credits`, body: { svc_tokens: '1', reference: 'r', reason: 'r', expires_at: '2020-01-01T00:00:00Z' } }, 400, 'expires_at'],
      [{ method: 'POST', path: `/accounts/${account.id}/credits`, body: { svc_tokens: '1', reference: 'r', reason: 'r', expires_at: 'soon' } }, 400, 'expires_at'],
      [{ method: 'POST', path: '/accounts', body: { name: 'x'.repeat(70_000) } }, 413, null],
      [{ method: 'POST', path: '/accounts/acct_none/block' }, 404, null],
      [{ method: 'POST', path: '/blocks', body: { kind: 'network', subject: '127.0.0.0/8' } }, 409, null],
    ];
    for (const [request, status, param] of cases) {
      const reply = await world.send(request);
      expect([request.path, reply.status, reply.body.error?.['param'] ?? null]).toEqual([request.path, status, param]);
    }
    for (const key of ['', 'x'.repeat(256), 'caf\u00e9']) {
      expect((await world.send({ method: 'POST', path: `/accounts/${account.id}/block` }, { key })).body.error).toMatchObject({ code: 'invalid_request', param: 'Idempotency-Key' });
    }
  });

  it('are audited as the machine’s acts, and a stored answer never contains the secret of a new key', async () => {
    const made = await world.send({ method: 'POST', path: `/accounts/${world.caller.account.id}/keys`, body: { name: 'shop' } }, { key: 'a key' });
    const secret = textOf(made, 'secret');
    const claims = world.container.get(services.machineClaims);
    const machine = (await world.container.get(services.machineRecords).list()).find(({ name }) => name === 'Shop');
    const claim = await claims.find({ machineId: machine?.id ?? '' as MachineId, key: 'a key' }, world.clock.now());
    expect(claim).toMatchObject({ subject: made.body['id'] });
    expect(JSON.stringify(claim)).not.toContain(secret);
    const page = await world.container.get(services.auditTrail).list({ accountId: world.caller.account.id, actorKind: 'machine', actorId: null, action: 'key.created', from: null, to: null, limit: 1, cursor: null });
    expect(page?.records).toMatchObject([{ actor: { kind: 'machine', id: `machine:${machine?.id ?? ''}` }, origin: { address: '127.0.0.1' } }]);
  });
});
