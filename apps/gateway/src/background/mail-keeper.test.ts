import { afterEach, beforeEach, expect, it } from '@jest/globals';
import { ManualClock } from '@tollgate/adapters-memory';
import { storeInMemory } from '@tollgate/adapters-sqlite/testing';
import { later } from '@tollgate/core';
import { MAIL_RANKS, MAIL_TRACED_MILLISECONDS } from '@tollgate/identity';
import type { SqlStore } from '@tollgate/sql-common';
import { aStoredMail, STORE_NOON, until } from '@tollgate/testkit';
import { createLog, DISCARDED_LOG } from '../observability/create-log.js';
import { MAIL_KEEPER_MILLISECONDS, MailKeeper } from './mail-keeper.js';

let clock: ManualClock;
let store: SqlStore;
let keeper: MailKeeper;

beforeEach(async () => {
  clock = new ManualClock(STORE_NOON);
  store = await storeInMemory(clock);
  keeper = new MailKeeper({ outbox: store.mail, clock, log: createLog('silent', DISCARDED_LOG) });
});
afterEach(async () => {
  await keeper.stop();
  await store.close();
});

const listed = async () => (await store.mail.list({ limit: 9, after: null })).map(({ id, to }) => `${id} ${to}`);

it('a delivered message is erased after 30 days, even if no mail was delivered since; waiting messages are kept', async () => {
  await store.mail.store(aStoredMail(1));
  const [mail] = await store.mail.claim({ at: STORE_NOON, leaseExpiresAt: later(STORE_NOON, 1), most: 1, ranks: MAIL_RANKS });
  if (mail === undefined) throw new Error('the message is due');
  await store.mail.finish(mail, { state: 'delivered' }, STORE_NOON);
  await store.mail.store(aStoredMail(2));
  clock.advance(MAIL_TRACED_MILLISECONDS);
  await keeper.run();
  expect(await listed()).toEqual(['mail_2 person2@host2.test', 'mail_1 person1@host1.test']);
  keeper.start();
  clock.advance(MAIL_KEEPER_MILLISECONDS);
  await until(async () => (await listed()).length === 1);
  expect(await listed()).toEqual(['mail_2 person2@host2.test']);
});
