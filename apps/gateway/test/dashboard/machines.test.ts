import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { later, MACHINE_SCOPES, MILLISECONDS_PER_DAY, MILLISECONDS_PER_HOUR, rfc3339 } from '@tollgate/core';
import { contract, type RequestBodyOf } from '@tollgate/api-contract';
import { MAX_MACHINES } from '@tollgate/identity';
import { startTestGateway, type TestGateway } from '../../src/test-support/start-test-gateway.js';
import { addPerson, type PageReply, TestBrowser, textOf } from '../../src/test-support/test-browser.js';

type Creation = RequestBodyOf<typeof contract.createMachine>;

const SHOP: Creation = { name: 'Shop', scopes: ['usage:read', 'accounts:read'] };
const PASSWORD = 'correct horse';
const NAMED = { params: { id: 'mach_none' } } as const;

let running: TestGateway;
let operator: TestBrowser;
let operatorId: string;

async function signIn(browser: TestBrowser, email: string): Promise<void> {
  expect((await browser.call(contract.signIn, { body: { email, password: PASSWORD } })).status).toBe(200);
}

async function signedIn({ gateway }: TestGateway, email: string, role: 'owner' | 'operator'): Promise<{ readonly browser: TestBrowser; readonly id: string }> {
  const { person: { id } } = await addPerson(gateway, email, role);
  const browser = new TestBrowser(gateway);
  await signIn(browser, email);
  return { browser, id };
}

function create(body: Creation): Promise<PageReply> {
  return operator.call(contract.createMachine, { body });
}

async function statusWith(secret: string): Promise<number> {
  return (await fetch(`${running.url}/admin/v1/accounts`, { headers: { authorization: `Bearer ${secret}` } })).status;
}

beforeAll(async () => {
  running = await startTestGateway();
  ({ browser: operator, id: operatorId } = await signedIn(running, 'olga@example.com', 'operator'));
});
afterAll(() => running.close());

describe('machines in the dashboard', () => {
  it('are created, used, rotated with an overlap and revoked; lists do not contain secrets', async () => {
    const made = await create({ ...SHOP, networks: ['127.0.0.1', '::1/128'] });
    const [id, first] = [textOf(made, 'id'), textOf(made, 'secret')];
    const expires = (days: number) => rfc3339(later(running.clock.now(), days * MILLISECONDS_PER_DAY));
    expect([made.status, made.body]).toEqual([201, {
      id, object: 'machine', name: 'Shop', hint: expect.stringMatching(/^tgm_/), status: 'active', scopes: ['accounts:read', 'usage:read'], networks: ['127.0.0.1/32', '::1/128'],
      created_at: rfc3339(running.clock.now()), expires_at: expires(90), previous_secret_expires_at: null, revoked_at: null, last_used_at: null, secret: expect.stringMatching(/^tgm_[A-Za-z0-9]{48}$/),
    }]);
    expect(await statusWith(first)).toBe(200);
    const { secret: _secret, ...shown } = made.body;
    const listed = await operator.call(contract.listMachines);
    expect(listed.body).toEqual({ object: 'list', data: [{ ...shown, last_used_at: rfc3339(running.clock.now()) }], has_more: false, grantable_scopes: MACHINE_SCOPES.filter((scope) => scope !== 'keys:write') });

    const rotated = await operator.call(contract.rotateMachine, { params: { id }, body: { overlap_hours: 1, expires_at: expires(365) } });
    const second = textOf(rotated, 'secret');
    expect([rotated.status, rotated.body]).toMatchObject([201, { id, expires_at: expires(365), previous_secret_expires_at: rfc3339(later(running.clock.now(), MILLISECONDS_PER_HOUR)) }]);
    expect(await Promise.all([statusWith(first), statusWith(second)])).toEqual([200, 200]);
    running.clock.advance(MILLISECONDS_PER_HOUR);
    expect(await Promise.all([statusWith(first), statusWith(second)])).toEqual([401, 200]);

    await signIn(operator, 'olga@example.com');
    expect((await operator.call(contract.revokeMachine, { params: { id } })).status).toBe(204);
    expect(await statusWith(second)).toBe(401);
    expect((await operator.call(contract.listMachines)).body).toMatchObject({ data: [{ id, status: 'revoked', revoked_at: rfc3339(running.clock.now()) }] });

    const trail = (await running.trail()).filter(({ subject }) => subject === id);
    expect(trail.map(({ action, actor }) => [action, actor.kind, actor.id])).toEqual(['created', 'rotated', 'revoked'].map((act) => [`machine.${act}`, 'operator', operatorId]));
    const written = JSON.stringify(await operator.call(contract.listAudit)) + JSON.stringify(trail) + JSON.stringify(listed.body);
    expect([first, second].filter((secret) => written.includes(secret))).toEqual([]);
  });

  it.each([
    [{ ...SHOP, name: ' ' }, 'name'], [{ ...SHOP, scopes: [] }, 'scopes'], [{ ...SHOP, scopes: ['keys:write'] }, 'scopes'], [{ ...SHOP, networks: ['10.0.0.0/8', 'home'] }, 'networks'],
    [{ ...SHOP, expires_at: '2020-01-01T00:00:00Z' }, 'expires_at'], [{ ...SHOP, expires_at: '2126-01-01T00:00:00Z' }, 'expires_at'],
  ] as const)('%j is refused for its %s', async (body, param) => {
    const reply = await create(body as unknown as Creation);
    expect([reply.status, reply.body.error?.param]).toEqual([400, param]);
  });

  it.each([-1, 1.5, 25])('are not rotated with an overlap of %s hours', async (hours) => {
    const reply = await operator.call(contract.rotateMachine, { ...NAMED, body: { overlap_hours: hours } });
    expect([reply.status, reply.body.error?.param]).toEqual([400, 'overlap_hours']);
  });

  it('are answered with 404 if they do not exist', async () => {
    const replies = await Promise.all([operator.call(contract.rotateMachine, { ...NAMED, body: {} }), operator.call(contract.revokeMachine, NAMED)]);
    expect(replies.map(({ status, body }) => [status, body.error?.code])).toEqual([[404, 'not_found'], [404, 'not_found']]);
  });

  it('do not exist for owners, and their secrets open no route of the dashboard', async () => {
    const made = await create(SHOP);
    const [params, secret] = [{ id: textOf(made, 'id') }, textOf(made, 'secret')];
    const { browser } = await signedIn(running, 'owner@example.com', 'owner');
    const replies = await Promise.all([
      browser.call(contract.listMachines), browser.call(contract.createMachine, { body: SHOP }), browser.call(contract.rotateMachine, { params, body: { overlap_hours: 0 } }),
      browser.call(contract.revokeMachine, { params }),
    ]);
    expect(replies.map(({ status }) => status)).toEqual([404, 404, 404, 404]);
    expect(await statusWith(secret)).toBe(200);
    const authorization = `Bearer ${secret}`;
    expect((await new TestBrowser(running.gateway).call(contract.listMachines, { headers: { authorization } })).status).toBe(401);
  });

  it('get keys:write only with ADMIN_KEYS=on', async () => {
    const allowing = await startTestGateway({ services: { allowsMachineKeys: true } });
    try {
      const { browser } = await signedIn(allowing, 'olga@example.com', 'operator');
      expect((await browser.call(contract.listMachines)).body).toMatchObject({ grantable_scopes: MACHINE_SCOPES });
      expect((await browser.call(contract.createMachine, { body: { ...SHOP, scopes: ['keys:write'] } })).status).toBe(201);
    } finally {
      await allowing.close();
    }
  });

  it(`are limited to ${MAX_MACHINES}`, async () => {
    let reply = await create(SHOP);
    for (let made = 1; reply.status === 201 && made <= MAX_MACHINES; made += 1) reply = await create(SHOP);
    expect([reply.status, reply.body.error?.code]).toEqual([409, 'conflict']);
  });
});
