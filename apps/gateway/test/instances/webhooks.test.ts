import { setTimeout } from 'node:timers/promises';
import { afterEach, beforeEach, expect, it } from '@jest/globals';
import { ManualClock } from '@tollgate/adapters-memory';
import { Argon2Hasher } from '@tollgate/adapters-node';
import { type AccountId, instant, ServiceTokens, SYSTEM_ACTOR } from '@tollgate/core';
import { Webhooks } from '@tollgate/identity';
import { anAccount, type PostgresServer } from '@tollgate/testkit';
import { createGateway } from '../../src/composition/container.js';
import { services } from '../../src/composition/services.js';
import type { Gateway } from '../../src/gateway/gateway.js';
import { rebind, TEST_SETTINGS, WEAK_ARGON2 } from '../../src/test-support/start-test-gateway.js';
import { isSignedWith, WebhookReceiver } from '../../src/test-support/webhook-receiver.js';
import { startMigratedPostgres } from '../../src/test-support/migrated-postgres.js';

const ACCOUNTS = ['a', 'b', 'c', 'd', 'e'].map((name) => `acct_${name}` as AccountId);
const CREDITS = 12;
const EVENTS = ACCOUNTS.length * CREDITS;

let server: PostgresServer;
let clock: ManualClock;
let gateways: Gateway[];
let receivers: WebhookReceiver[];

beforeEach(async () => {
  server = await startMigratedPostgres();
  clock = new ManualClock(instant(Date.now()));
  gateways = [await open(), await open()];
  receivers = [await WebhookReceiver.start(), await WebhookReceiver.start()];
}, 60_000);
afterEach(async () => {
  for (const gateway of gateways) await gateway.close();
  for (const receiver of receivers) await receiver.close();
  await server.stop();
});

function open(): Promise<Gateway> {
  const environment = { PORT: '0', LOG_LEVEL: 'silent', SECRET: 'ab'.repeat(32), DATABASE_URL: server.url() };
  return createGateway(environment, (container) => rebind(container, { settings: TEST_SETTINGS, clock, leaseClock: 'caller', passwordHasher: new Argon2Hasher(WEAK_ARGON2) }));
}

it('two gateways deliver each event at least once and in order, even if one of them is closed in between', async () => {
  const [first, second] = gateways;
  if (first === undefined || second === undefined) throw new Error('there are two gateways');
  const { accounts, ledger } = first.container.get(services.store);
  for (const id of ACCOUNTS) await accounts.create(anAccount({ id, email: `${id}@example.test`, createdAt: clock.now() }), SYSTEM_ACTOR);
  const secrets: string[] = [];
  for (const { url } of receivers) {
    const { secret } = await first.container.get(Webhooks).create({ owner: null, url, types: ['balance.booked'], description: '' }, { actor: SYSTEM_ACTOR, at: clock.now() });
    secrets.push(secret);
  }
  for (let round = 0; round < CREDITS; round += 1) {
    for (const accountId of ACCOUNTS) await ledger.credit({ accountId, amount: ServiceTokens.parse('1'), reference: `order ${round}`, actor: SYSTEM_ACTOR, at: clock.now() });
  }
  const closing: Promise<void>[] = [];
  for (const receiver of receivers) {
    receiver.answering = (_received, res) => {
      setImmediate(() => res.writeHead(200).end());
      if (receiver.received.length >= 10 && closing.length === 0) closing.push(first.close());
    };
  }
  const isDone = (): boolean => receivers.every(({ received }) => new Set(received.map(({ event }) => event.id)).size === EVENTS);
  // 50 real milliseconds count as a second here, so a lease of 60 s lasts longer than any query takes.
  while (!isDone()) {
    clock.advance(1_000);
    await setTimeout(50);
  }
  await Promise.all(closing);
  gateways = [second];
  for (const [index, receiver] of receivers.entries()) {
    for (const accountId of ACCOUNTS) {
      const firsts = [...new Set(receiver.sequencesOf(accountId))];
      expect(firsts).toEqual(Array.from({ length: CREDITS }, (_, number) => number + 2));
    }
    expect(receiver.received.length - EVENTS).toBeLessThanOrEqual(4);
    expect(receiver.received.every((received) => isSignedWith(secrets[index] ?? '', received))).toBe(true);
  }
  expect(closing).toHaveLength(1);
}, 60_000);
