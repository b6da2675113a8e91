import { afterAll, afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { ServiceTokens, SYSTEM_ACTOR } from '@tollgate/core';
import { adminContract } from '@tollgate/api-contract';
import { copyDatabase } from '@tollgate/adapters-sqlite';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { ManualClock, StaticCatalogue } from '@tollgate/adapters-memory';
import { Machines } from '@tollgate/identity';
import { ScriptedProvider } from '@tollgate/testkit';
import { createGateway } from '../../src/composition/container.js';
import { services } from '../../src/composition/services.js';
import type { Gateway } from '../../src/gateway/gateway.js';
import { addCaller, rebind, TEST_SETTINGS } from '../../src/test-support/start-test-gateway.js';
import { testCatalogue } from '../../src/test-support/test-catalogue.js';
import { AdminWorld, type AdminReply } from './admin-world.js';

describe('the feed of events over HTTP', () => {
  let world: AdminWorld;
  let headers: Readonly<Record<string, string>>;

  beforeEach(async () => {
    world = await AdminWorld.start();
    headers = await world.headersOf(['events:read']);
  });
  afterEach(() => world.close());

  async function page(query: string) {
    const reply = await world.call(`/events${query}`, headers);
    expect(reply.status).toBe(200);
    return adminContract.listEvents.reply.parse(reply.body);
  }

  function told({ status, body: { error } }: AdminReply): readonly unknown[] {
    return [status, error?.['code'], error?.['param'] ?? null];
  }

  it('is read to its end, and continues with later events; a single event is read by its id', async () => {
    const { account } = world.gateway.caller;
    const first = await page('?limit=1');
    expect(first).toMatchObject({ has_more: true, data: [{ object: 'event', type: 'account.created', account_id: account.id, account_sequence: 1, external_id: null }] });
    const rest = await page(`?after=${first.next_cursor ?? ''}`);
    expect(rest.has_more).toBe(false);
    await world.gateway.gateway.accountAdministration.credit({ accountId: account.id, amount: ServiceTokens.parse('2.5'), reference: 'order 7', actor: SYSTEM_ACTOR });
    const later = await page(`?after=${rest.next_cursor ?? ''}`);
    expect(later.data).toMatchObject([{ type: 'balance.booked', data: { kind: 'top-up', amount: '2.5', balance: '1002.5', reference: 'order 7', request_id: null } }]);
    expect((await world.call(`/events/${later.data[0]?.id ?? ''}`, headers)).body).toEqual(later.data[0]);
    expect(told(await world.call(`/events/evt_${'0'.repeat(32)}`, headers))).toEqual([404, 'not_found', null]);
  });

  it('is narrowed by types and account', async () => {
    const other = await world.gateway.addCaller('second');
    const typesOf = async (query: string) => (await page(query)).data.map(({ type }) => type);
    expect(await typesOf(`?account=${other.account.id}`)).toEqual(['account.created', 'balance.booked', 'key.created']);
    expect(await typesOf(`?account=${other.account.id}&type=key.created&type=account.created`)).toEqual(['account.created', 'key.created']);
    expect(await typesOf('?type=key.revoked')).toEqual([]);
  });

  it.each([
    ['?after=abc', [400, 'invalid_request', 'after']], ['?limit=1001', [400, 'invalid_request', 'limit']], ['?type=account.exploded', [400, 'invalid_request', 'type']],
    ['?type=account.created&type=x', [400, 'invalid_request', 'type']], ['?limit=1&limit=2', [400, 'invalid_request', 'limit']], ['?since=1', [400, 'invalid_request', 'since']],
    [`?after=${Buffer.from(`1 evt_${'0'.repeat(32)}`).toString('base64url')}`, [410, 'cursor_lost', 'after']],
  ])('refuses %s', async (query, expected) => {
    const [status, code, param] = told(await world.call(`/events${query}`, headers));
    expect([status, code, String(param).replace(/\[\d\]$/, '')]).toEqual(expected);
  });
});

describe('the feed of events after a restored backup', () => {
  const folder = mkdtempSync(join(tmpdir(), 'events-'));
  const [file, backup] = [join(folder, 'tollgate.db'), join(folder, 'backup.db')];
  afterAll(() => rmSync(folder, { recursive: true }));

  function start(): Promise<Gateway> {
    const environment = { PORT: '0', LOG_LEVEL: 'silent', SECRET: 'ab'.repeat(32), DATABASE_URL: `sqlite:${file}` };
    return createGateway(environment, (container) => rebind(container, {
      settings: TEST_SETTINGS, clock: new ManualClock(), leaseClock: 'caller', catalogue: new StaticCatalogue(testCatalogue()), provider: new ScriptedProvider(),
    }));
  }

  it('refuses a cursor that was issued after the backup, and continues from a cursor issued before it', async () => {
    const first = await start();
    const { account } = await addCaller(first, 'first', {});
    const by = { actor: SYSTEM_ACTOR, at: first.container.get(services.clock).now() };
    const machine = await first.container.get(Machines).create({ name: 'Shop', scopes: ['events:read'], networks: [], expiresAt: null }, by);
    const headers = { authorization: `Bearer ${machine.outcome === 'created' ? machine.issued.secret.reveal() : ''}` };
    const credit = ({ accountAdministration }: Gateway, reference: string) => accountAdministration.credit({ accountId: account.id, amount: ServiceTokens.parse('3'), reference, actor: SYSTEM_ACTOR });
    const read = async ({ url }: Gateway, query: string) => {
      const reply = await fetch(`${url}/admin/v1/events${query}`, { headers });
      return { status: reply.status, body: await reply.json() as AdminReply['body'] };
    };
    const cursor = async (gateway: Gateway) => String((await read(gateway, '')).body['next_cursor']);
    const before = await cursor(first);
    await copyDatabase(file, backup, () => undefined);
    await credit(first, 'lost');
    const after = await cursor(first);
    await first.close();
    for (const suffix of ['', '-wal', '-shm']) rmSync(`${file}${suffix}`, { force: true });
    await copyDatabase(backup, file, () => undefined);
    const second = await start();
    await credit(second, 'kept');
    expect(await read(second, `?after=${after}`)).toMatchObject({
      status: 410,
      body: {
        error: {
          code: 'cursor_lost', param: 'after',
          message: 'The feed does not continue from this cursor: the event was removed after its time, or the database was restored. Read from the start and compare the balances.',
        },
      },
    });
    expect(await read(second, `?after=${before}&account=${account.id}`)).toMatchObject({ status: 200, body: { data: [{ type: 'balance.booked', data: { reference: 'kept' } }] } });
    await second.close();
  });
});
