import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { openMailTransport } from '@tollgate/adapters-mail';
import { ManualClock, SequentialIds } from '@tollgate/adapters-memory';
import { openSqliteStore } from '@tollgate/adapters-sqlite';
import { storeInMemory } from '@tollgate/adapters-sqlite/testing';
import type { SqlStore } from '@tollgate/sql-common';
import { later, MILLISECONDS_PER_DAY, type ProcessId } from '@tollgate/core';
import { type MailOutbox, type MailTransport, Mailer } from '@tollgate/identity';
import { aStoredMail, STORE_NOON, until } from '@tollgate/testkit';
import { MailServer, type MailServerOptions } from '@tollgate/testkit/mail-server';
import { createLog } from '../observability/create-log.js';
import { DELIVERY_MILLISECONDS, MAIL_LEASE_MILLISECONDS, MailDelivery, STOP_MILLISECONDS } from './mail-delivery.js';

type LogLine = Readonly<Record<string, unknown>>;

const NEVER = new Promise<void>(() => undefined);
/** Matches personal data, which must not be logged. */
const PERSONAL = /(?:example|host\d+|slow\d*)\.test|Message|Grüße/;

/** The same outbox with another `status`. */
function withStatus(outbox: MailOutbox, status: MailOutbox['status']): MailOutbox {
  return Object.assign(Object.create(outbox) as MailOutbox, { status });
}

describe('MailDelivery', () => {
  let clock: ManualClock;
  let logged: LogLine[];
  let outbox: MailOutbox;
  let server: MailServer;
  const running: MailDelivery[] = [];
  const ending: (() => Promise<void> | void)[] = [];

  beforeEach(async () => {
    [clock, logged] = [new ManualClock(STORE_NOON), []];
    outbox = (await storeInMemory(clock)).mail;
  });
  afterEach(async () => {
    for (const delivery of running.splice(0)) {
      const stopped = delivery.stop();
      await clock.advanceAsync(2 * STOP_MILLISECONDS);
      await stopped;
    }
    for (const end of ending.splice(0).toReversed()) await end();
    const revealing = logged.find((line) => PERSONAL.test(JSON.stringify(line)));
    if (revealing !== undefined) throw new Error(`a log line repeats an address or a message: ${JSON.stringify(revealing)}`);
  });

  async function serve(options: Partial<MailServerOptions> = {}): Promise<void> {
    server = await MailServer.start({ security: 'none', ...options });
    ending.push(() => server.close());
  }

  function openTransport(port = server.port): Promise<MailTransport> {
    return openMailTransport({ kind: 'smtp', host: '127.0.0.1', port, security: 'none', credentials: null, from: { name: 'Tollgate', address: 'tollgate@gateway.test' } });
  }

  function deliveryFrom(from: MailOutbox, { pollMilliseconds = null }: { readonly pollMilliseconds?: number | null } = {}): MailDelivery {
    const log = createLog('info', { write: (line) => void logged.push(JSON.parse(line) as LogLine) });
    const delivery = new MailDelivery({ outbox: from, openTransport: () => openTransport(), pollMilliseconds, clock, log });
    running.push(delivery);
    return delivery;
  }

  /** Logged messages, each with its error code or place. */
  function said(): readonly (readonly [unknown, unknown])[] {
    return logged.map(({ msg, code, place }) => [msg, code ?? place]);
  }

  async function settled(delivery: MailDelivery, waiting: number): Promise<void> {
    await until(async () => (await outbox.status(clock.now())).waiting === waiting && delivery.waiting === waiting);
  }

  it('delivers each stored message once, then waits for the next', async () => {
    await serve();
    const delivery = deliveryFrom(outbox);
    delivery.wake();
    await until(() => delivery.waiting === 0);
    const mailer = new Mailer({ outbox, ids: new SequentialIds(), clock, onStored: () => delivery.wake() });
    for (const number of [1, 2, 3, 4, 5]) await mailer.send(aStoredMail(number));
    await settled(delivery, 0);
    await until(() => clock.pendingTasks === 0);
    const mails = await server.mails();
    expect(mails.map(({ to }) => to).toSorted()).toEqual([1, 2, 3, 4, 5].map((number) => `person${number}@host${number}.test`));
    expect(delivery.counts).toEqual({ delivered: 5, failedAttempts: 0, givenUp: 0, dropped: 0 });
    expect(said()).toEqual(Array.from({ length: 5 }, () => ['a message was delivered', `127.0.0.1:${server.port}`]));
  });

  /** Starts a mail server that never answers the messages for which `stalls` is true. */
  async function stall(stalls: (raw: string) => boolean): Promise<{ readonly stalled: () => number }> {
    let stalled = 0;
    await serve({
      beforeAccepting: (raw) => {
        if (!stalls(raw)) return Promise.resolve();
        stalled += 1;
        return NEVER;
      },
    });
    return { stalled: () => stalled };
  }

  it.each([
    ['of one domain', () => 'slow.test', 1], ['each of a name below one domain', (number: number) => `slow${number}.slow.test`, 1], ['each of a domain of its own', (number: number) => `slow${number}.test`, 3],
  ] as const)('delivers an operator’s message at once while the servers of 40 recipients %s stall', async (_what, domain, held) => {
    const { stalled } = await stall((raw) => /To: .*@slow/i.test(raw));
    const delivery = deliveryFrom(outbox);
    for (let number = 0; number < 40; number += 1) await outbox.store(aStoredMail(number, { to: `a${number}@${domain(number)}`, rank: 'unverified' }));
    delivery.wake();
    await until(() => stalled() === held);
    const before = clock.now();
    await outbox.store(aStoredMail(40, { rank: 'operator' }));
    delivery.wake();
    await until(() => delivery.counts.delivered === 1);
    expect([clock.now() - before, stalled()]).toEqual([0, held]);
    expect((await server.mails()).map(({ to }) => to)).toContain('person40@host40.test');
  });

  it('reserves one delivery slot for operators while deliveries to verified people occupy all others', async () => {
    const { stalled } = await stall((raw) => /To: .*@slow/i.test(raw));
    const delivery = deliveryFrom(outbox);
    for (let number = 0; number < 40; number += 1) await outbox.store(aStoredMail(number, { to: `a@slow${number}.test` }));
    delivery.wake();
    await until(() => stalled() === 5);
    await outbox.store(aStoredMail(40, { rank: 'operator' }));
    delivery.wake();
    await until(() => delivery.counts.delivered === 1);
    expect(stalled()).toBe(5);
  });

  it('delivers to the subdomains of one domain one at a time, so that slow servers there do not delay other messages', async () => {
    const { stalled } = await stall((raw) => /To: .*@slow/i.test(raw));
    const delivery = deliveryFrom(outbox);
    for (let number = 0; number < 40; number += 1) await outbox.store(aStoredMail(number, { to: `a@slow${number}.example.test` }));
    delivery.wake();
    await until(() => stalled() === 1);
    await outbox.store(aStoredMail(40));
    delivery.wake();
    await until(() => delivery.counts.delivered === 1);
    expect(stalled()).toBe(1);
  });

  it('counts messages that could not be stored, and logs the first of them', () => {
    const delivery = deliveryFrom(outbox);
    delivery.drop();
    delivery.drop();
    expect([delivery.counts.dropped, said().length]).toEqual([2, 1]);
  });

  it('delivers a message stored during other deliveries', async () => {
    await serve({
      beforeAccepting: async (raw) => {
        if (raw.includes('Message 1')) await outbox.store(aStoredMail(2));
        delivery.wake();
      },
    });
    const delivery = deliveryFrom(outbox);
    await outbox.store(aStoredMail(1));
    delivery.wake();
    await until(() => delivery.waiting === 0);
    expect(delivery.counts.delivered).toBe(2);
  });

  it('delivers a message that is stored after its last query but before it becomes idle', async () => {
    await serve();
    const delivery: MailDelivery = deliveryFrom(withStatus(outbox, async (at) => {
      const status = await outbox.status(at);
      if (await outbox.store(aStoredMail(1)) === 'stored') delivery.wake();
      return status;
    }));
    delivery.wake();
    await until(() => delivery.counts.delivered === 1);
    expect(server.received).toHaveLength(1);
  });

  it('retries after half a minute when the connection is refused', async () => {
    await serve();
    const { port } = server;
    await server.close();
    const delivery = deliveryFrom(outbox);
    await outbox.store(aStoredMail(1));
    delivery.wake();
    await until(() => delivery.counts.failedAttempts === 1 && clock.pendingTasks === 1);
    expect(logged).toEqual([expect.objectContaining({ mail: 'mail_1', attempt: 1, code: 'ECONNREFUSED', nextAttemptAt: '2026-11-18T12:00:30.000Z' })]);
    await serve({ port });
    await clock.advanceAsync(29_999);
    expect(server.received).toEqual([]);
    await clock.advanceAsync(1);
    await settled(delivery, 0);
    expect(server.received).toHaveLength(1);
  });

  it('gives up immediately on a permanent refusal', async () => {
    await serve({ refuseRecipient: (address) => (address === 'person1@host1.test' ? { code: 550, text: '5.1.1 <person1@example.test> unknown' } : null) });
    const delivery = deliveryFrom(outbox);
    for (const number of [1, 2]) await outbox.store(aStoredMail(number));
    delivery.wake();
    await settled(delivery, 0);
    expect(delivery.counts).toEqual({ delivered: 1, failedAttempts: 1, givenUp: 1, dropped: 0 });
    expect(said()).toContainEqual(['a message could not be delivered and is discarded', '550 5.1.1']);
    await clock.advanceAsync(MILLISECONDS_PER_DAY);
    expect(server.received.map(({ to }) => to)).toEqual([['person2@host2.test']]);
  });

  it('gives up on a message after a day, without another attempt', async () => {
    await serve();
    await outbox.store(aStoredMail(1));
    clock.set(later(STORE_NOON, MILLISECONDS_PER_DAY));
    const delivery = deliveryFrom(outbox);
    delivery.wake();
    await settled(delivery, 0);
    expect([said(), server.received, delivery.counts.givenUp]).toEqual([[['a message could not be delivered and is discarded', 'expired']], [], 1]);
  });

  it('aborts a delivery that takes a minute, and keeps the message for a retry', async () => {
    await serve({ beforeAccepting: () => NEVER });
    const delivery = deliveryFrom(outbox);
    await outbox.store(aStoredMail(1));
    delivery.wake();
    await until(() => server.received.length === 1);
    await clock.advanceAsync(DELIVERY_MILLISECONDS);
    await until(() => delivery.counts.failedAttempts === 1 && logged.length === 1);
    expect(said()).toEqual([['a message could not be delivered; the gateway retries', 'ETIMEDOUT']]);
    expect((await outbox.status(clock.now())).waiting).toBe(1);
  });

  it('stops within seconds, even if a mail server does not answer', async () => {
    await serve({ beforeAccepting: () => NEVER });
    const delivery = deliveryFrom(outbox);
    await outbox.store(aStoredMail(1));
    delivery.wake();
    await until(() => server.received.length === 1);
    const stopped = delivery.stop();
    await clock.advanceAsync(STOP_MILLISECONDS);
    await stopped;
    expect((await outbox.status(clock.now())).waiting).toBe(1);
    delivery.wake();
    expect([clock.pendingTasks, delivery.counts.delivered]).toEqual([0, 0]);
  });

  it('looks at the configured interval for messages that other processes have stored', async () => {
    await serve();
    const delivery = deliveryFrom(outbox, { pollMilliseconds: 30_000 });
    delivery.wake();
    await until(() => clock.pendingTasks === 1);
    await outbox.store(aStoredMail(1));
    await clock.advanceAsync(30_000);
    await until(() => delivery.counts.delivered === 1 && clock.pendingTasks === 1);
    expect(server.received).toHaveLength(1);
  });

  it('continues after the outbox could not be read', async () => {
    await serve();
    let isAway = true;
    const delivery = deliveryFrom(withStatus(outbox, (at) => (isAway ? Promise.reject(new Error('the database is away')) : outbox.status(at))));
    await outbox.store(aStoredMail(1));
    delivery.wake();
    await until(() => clock.pendingTasks === 1);
    isAway = false;
    await clock.advanceAsync(30_000);
    await until(() => delivery.counts.delivered === 1);
    expect(server.received).toHaveLength(1);
  });

  describe('when its process dies before a delivered message is marked as delivered,', () => {
    let folder: string;
    beforeEach(() => {
      folder = mkdtempSync(join(tmpdir(), 'tollgate-mail-'));
      ending.push(() => rmSync(folder, { recursive: true }));
    });

    function openStore(name: string): Promise<SqlStore> {
      return openSqliteStore({ file: join(folder, 'tollgate.db'), clock, processId: `process_${name}` as ProcessId });
    }

    it('the next process delivers the message once more, with the same Message-ID and date', async () => {
      const first = await openStore('first');
      await serve({ beforeAccepting: () => (server.received.length === 1 ? first.close() : Promise.resolve()) });
      await first.mail.store(aStoredMail(1));
      deliveryFrom(first.mail).wake();
      await until(() => said().some(([message]) => message === 'the mail outbox could not be read or written'));
      logged.splice(0);

      const second = await openStore('second');
      ending.push(() => second.close());
      const delivery = deliveryFrom(second.mail);
      delivery.wake();
      await until(() => delivery.waiting === 1);
      expect(server.received).toHaveLength(1);
      await clock.advanceAsync(MAIL_LEASE_MILLISECONDS);
      await until(() => delivery.counts.delivered === 1);
      const mails = await server.mails();
      expect(mails).toHaveLength(2);
      expect(new Set(mails.map(({ messageId, date, text }) => `${messageId} ${date} ${text}`)).size).toBe(1);
      await clock.advanceAsync(MILLISECONDS_PER_DAY);
      expect(server.received).toHaveLength(2);
    });
  });
});
