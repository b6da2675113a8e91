import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { later } from '@tollgate/core';
import { MAIL_RANKS } from '@tollgate/identity';
import { aStoredMail, STORE_NOON } from '@tollgate/testkit';
import Database from 'better-sqlite3';
import { storeFile, type StoreFile } from '../../src/test-support/stores.js';

describe('SqlMailOutbox on SQLite', () => {
  let place: StoreFile;
  beforeEach(() => {
    place = storeFile();
  });
  afterEach(() => place.remove());

  it.each([{ state: 'delivered' }, { state: 'given-up', failure: '550 5.1.1' }] as const)('stores only id, reference, kind, address, times and failure code of a message that was $state', async (end) => {
    const store = await place.open();
    await store.mail.store(aStoredMail(1));
    const [mail] = await store.mail.claim({ at: STORE_NOON, leaseExpiresAt: later(STORE_NOON, 1), most: 1, ranks: MAIL_RANKS });
    if (mail === undefined) throw new Error('the message is due');
    await store.mail.finish(mail, end, later(STORE_NOON, 5));
    await store.close();
    const direct = new Database(place.file);
    expect(direct.prepare('SELECT * FROM mail_outbox').all()).toEqual([{
      id: 'mail_1', reference: 'reference 1', kind: 'test', account_id: null, state: end.state, recipient: 'person1@host1.test', subject: null, body_text: null, body_html: null,
      attempts: 1, due_at: later(STORE_NOON, 1), stored_at: STORE_NOON, expires_at: mail.expiresAt, ended_at: later(STORE_NOON, 5), last_failure: end.state === 'given-up' ? end.failure : null, rank: 1, domain: null, leased_until: null,
    }]);
    expect(() => direct.exec("UPDATE mail_outbox SET body_text = 'kept'")).toThrow('mail_outbox_contents');
    direct.close();
  });

  it('replaces characters that databases do not accept', async () => {
    const store = await place.open();
    await store.mail.store(aStoredMail(1, { text: 'a\0b\ud800c' }));
    expect(await store.mail.claim({ at: STORE_NOON, leaseExpiresAt: later(STORE_NOON, 1), most: 1, ranks: MAIL_RANKS })).toMatchObject([{ text: 'a\u{FFFD}b\u{FFFD}c' }]);
    await store.close();
  });

  it('uses an index to find waiting messages and those whose delivery has ended', async () => {
    const store = await place.open();
    await store.close();
    const direct = new Database(place.file);
    const plan = (query: string): string => direct.prepare<[], { detail: string }>(`EXPLAIN QUERY PLAN ${query}`).all().map(({ detail }) => detail).join('; ');
    expect(plan("SELECT count(*), min(due_at) FROM mail_outbox WHERE state = 'waiting'")).toContain('mail_outbox_waiting');
    expect(plan("SELECT id FROM mail_outbox WHERE state = 'waiting' AND due_at <= 5 ORDER BY due_at, id LIMIT 2")).toContain('mail_outbox_waiting');
    expect(plan('SELECT id FROM mail_outbox WHERE ended_at < 5 LIMIT 2')).toContain('mail_outbox_ended');
    direct.close();
  });
});
