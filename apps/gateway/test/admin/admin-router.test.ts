import { afterEach, beforeEach, expect, it } from '@jest/globals';
import { later, MILLISECONDS_PER_MINUTE, SYSTEM_ACTOR, ServiceTokens } from '@tollgate/core';
import { adminContract } from '@tollgate/api-contract';
import type { IssuedMachine } from '@tollgate/identity';
import { TestBrowser } from '../../src/test-support/test-browser.js';
import { AdminWorld, GRANTED_SCOPES } from './admin-world.js';

let world: AdminWorld;
let headers: Readonly<Record<string, string>>;
beforeEach(async () => {
  world = await AdminWorld.start();
  headers = await world.headersOf(GRANTED_SCOPES);
});
afterEach(() => world.close());

const MINUTE_LIMIT = 600;

it('a machine may send 600 requests per minute, whatever their outcome; other machines are not affected', async () => {
  const statuses = new Set<number>();
  for (let made = 0; made < MINUTE_LIMIT; made += 50) {
    for (const { status } of await Promise.all(Array.from({ length: 50 }, (_, number) => world.call(number % 2 === 0 ? '/plans' : '/accounts/acct_none', headers)))) statuses.add(status);
  }
  expect(statuses).toEqual(new Set([200, 404]));
  const refusal = await world.call('/plans', headers);
  expect([refusal.status, refusal.body.error?.['code'], refusal.headers.get('retry-after')]).toEqual([429, 'rate_limit_exceeded', '60']);
  expect((await world.call('/plans', await world.headersOf(['usage:read']))).status).toBe(200);
  world.clock.advance(MILLISECONDS_PER_MINUTE);
  expect((await world.call('/plans', headers)).status).toBe(200);
});

it('refused secrets of a machine use up its own limit only, not that of its network or of its valid secret', async () => {
  await world.close();
  const most = 3;
  world = await AdminWorld.start({ settings: { unbilledPerMinuteAddress: most } });
  const expiring = await world.machine(['usage:read'], { expiresAt: later(world.clock.now(), 1) });
  const [revoked, elsewhere] = [await world.machine(['usage:read']), await world.machine(['usage:read'], { networks: ['192.0.2.0/24'] })];
  await world.machines.revoke(revoked.machine.id, world.by());
  world.clock.advance(1);
  const bearing = ({ secret }: IssuedMachine) => ({ authorization: `Bearer ${secret.reveal()}` });
  for (const refused of [expiring, revoked, elsewhere]) {
    for (const status of [401, 401, 401, 429]) expect((await world.call('/machine', bearing(refused))).status).toBe(status);
    expect((await world.call('/machine', bearing(refused))).body.error?.['message']).toContain('Too many refused requests per minute from this machine.');
  }
  const rotated = await world.machines.rotate({ id: expiring.machine.id, overlapMilliseconds: 0, expiresAt: null }, world.by());
  if (rotated.outcome !== 'rotated') throw new Error(rotated.outcome);
  expect((await world.call('/machine', bearing(rotated.issued))).status).toBe(200);
  for (const status of [401, 401, 401, 429]) expect((await world.call('/machine', {})).status).toBe(status);
});

it('a machine reads a list to its end by following the cursors', async () => {
  await Promise.all(['second', 'third'].map((name) => world.gateway.addCaller(name)));
  const ids: string[] = [];
  let cursor: string | null = '';
  while (cursor !== null) {
    const { body } = await world.call(`/accounts?limit=1${cursor === '' ? '' : `&cursor=${cursor}`}`, headers);
    const page = adminContract.listAccounts.reply.parse(body);
    ids.push(...page.data.map(({ id }) => id));
    cursor = page.next_cursor;
    expect(page.has_more).toBe(cursor !== null);
  }
  expect(ids.length).toBe(3);
  expect(new Set(ids).size).toBe(3);
  expect((await world.call('/accounts?limit=101', headers)).body.error).toMatchObject({ code: 'invalid_request', param: 'limit' });
});

it('a machine reads the balance and the ledger of an account, and who made each entry', async () => {
  const { account } = world.gateway.caller;
  const before = await world.call(`/accounts/${account.id}/balance`, headers);
  await world.gateway.gateway.accountAdministration.credit({ accountId: account.id, amount: ServiceTokens.parse('2.5'), reference: 'order 7', actor: SYSTEM_ACTOR });
  const after = await world.call(`/accounts/${account.id}/balance`, headers);
  expect([before.body['total'], after.body['total']]).toMatchObject([{ svc_tokens: '1000' }, { svc_tokens: '1002.5' }]);
  const { body } = await world.call(`/accounts/${account.id}/ledger`, headers);
  expect(body['data']).toMatchObject([{ kind: 'top-up', svc_tokens: '2.5', reference: 'order 7', by: { kind: 'system' } }, { svc_tokens: '1000', reference: 'first' }]);
});

it('a machine learns that a path or method is unknown; a stranger gets 401 for it', async () => {
  expect((await world.call('/nothing', headers)).status).toBe(404);
  expect((await world.call('/nothing', {})).status).toBe(401);
  expect((await world.call('/accounts/acct_none', headers)).body.error).toMatchObject({ code: 'not_found', message: 'There is no account acct_none.' });
  const posted = await world.call('/plans', headers, { method: 'POST' });
  expect([posted.status, posted.headers.get('allow')]).toEqual([405, 'GET, HEAD']);
  expect((await world.call('/plans', {}, { method: 'POST' })).status).toBe(401);
  expect((await world.call('/accounts', headers, { method: 'HEAD' })).status).toBe(200);
});

it('machines are served in maintenance, but not from blocked networks', async () => {
  world.gateway.parts.platform.maintenance = true;
  expect((await world.call('/health', headers)).body).toMatchObject({ object: 'health', maintenance: 'on', settlements_waiting: 0, ledger: null });
  world.gateway.parts.platform.blockedAddresses.add('127.0.0.1');
  expect((await world.call('/health', headers)).body.error).toMatchObject({ code: 'ip_blocked' });
});

it('the log line of a machine’s request names the machine', async () => {
  const { machine, secret } = await world.machine(['usage:read']);
  await world.call(`/usage?user=${secret.reveal()}`, { authorization: `Bearer ${secret.reveal()}` });
  await world.call(`/${secret.reveal()}`, { authorization: `Bearer ${secret.reveal()}` });
  const lines = world.gateway.parts.logged.filter(({ machineId }) => machineId === machine.id);
  expect(lines).toMatchObject([{ path: '/admin/v1/usage', status: 200 }, { path: '/admin/v1/tgm_[redacted]', status: 404 }]);
});

it('secrets of machines open neither /v1 nor the dashboard', async () => {
  const browser = new TestBrowser(world.gateway.gateway);
  const answers = await Promise.all(['/v1/models', '/v1/account', '/dashboard/api/me', '/dashboard/api/operator/accounts'].map((path) => browser.send({ method: 'GET', path, headers })));
  expect(answers.map(({ status, body }) => [status, body.error?.code])).toEqual([
    [401, 'invalid_api_key'], [401, 'invalid_api_key'], [401, 'not_signed_in'], [401, 'not_signed_in'],
  ]);
});
