import { afterEach, describe, expect, it } from '@jest/globals';
import { type Instant, isAlwaysStored, later, type ModelSlug, NO_AUDIT_FILTERS, NO_TOKENS, portionsOf, ServiceTokens, SYSTEM_ACTOR, TOKEN_COUNTS, UNTIL_UNBLOCKED } from '@tollgate/core';
import { MAIL_RANKS } from '@tollgate/identity';
import {
  aKeptResponse, aServedModel, aStoredMail, anEnding, creationOf, distinctUsage, keyHashOf, numberedKey, OTHER_OWNER, OWNER, progressOf, requestId, reservationId, STORE_ALICE,
  STORE_NOON, StoreDriver,
} from '@tollgate/testkit';
import type { SqlStore } from '../store/sql-store.js';

/** The store of a running gateway, and direct access to its database, as the migration of a newer release has it. */
export interface AddedColumnsSubject {
  readonly store: SqlStore;
  /** Number of requests that run concurrently. */
  readonly workers: number;
  /** Makes the entries of the store's caches expire. */
  age(): void;
  tables(): Promise<readonly string[]>;
  run(statement: string): Promise<unknown>;
  close(): Promise<void>;
}

const BY = { actor: SYSTEM_ACTOR, at: STORE_NOON };
const LEASE_END = later(STORE_NOON, 900_000);
const TABLES_OF_A_ROUND = 4;

/** Runs the operations of gateways and operators once. Each call must have a different number. */
async function workOnce(driver: StoreDriver, store: SqlStore, number: number): Promise<void> {
  const [settled, swept] = [number * 2, number * 2 + 1];
  await driver.reserve(settled, '1');
  await store.ledger.checkpoint({ ownerId: OWNER, progress: new Map([[reservationId(settled), progressOf(1)]]), at: STORE_NOON, leaseExpiresAt: LEASE_END });
  await store.ledger.extend(reservationId(settled), ServiceTokens.parse('1'));
  await driver.settle(settled, anEnding(1));
  await driver.reserve(swept, '1', { owner: OTHER_OWNER, expiresAt: STORE_NOON });
  await store.ledger.sweep(STORE_NOON);
  await driver.settle(swept, anEnding(1));
  await store.ledger.balanceOf(STORE_ALICE);
  await store.books.find(requestId(settled));
  await store.usage.list({ accountId: STORE_ALICE, model: null, keyId: null, attribution: null, from: null, to: null, endReason: null, leastCharge: null, limit: 5, cursor: null });
  await store.usage.find(STORE_ALICE, requestId(swept));
  expect(await store.keys.findByHash(keyHashOf(1))).not.toBeNull();
  expect(await store.keys.listByAccount(STORE_ALICE)).toHaveLength(1);
  const claim = { accountId: STORE_ALICE, key: `key ${number}`, requestId: requestId(settled), ownerId: OWNER, fingerprint: 'same', at: STORE_NOON, expiresAt: LEASE_END };
  await store.idempotency.claim(claim);
  await store.idempotency.finish({ ...claim, reply: { headers: {}, body: '{}' } });
  await store.idempotency.claim(claim);
  await store.responses.keep(aKeptResponse(number));
  expect(await store.responses.find(STORE_ALICE, `resp_${number}`, STORE_NOON)).not.toBeNull();
  await store.mail.store(aStoredMail(number));
  for (const { id, attempt } of await store.mail.claim({ at: STORE_NOON, leaseExpiresAt: LEASE_END, most: 5, ranks: MAIL_RANKS })) await store.mail.finish({ id, attempt }, { state: 'delivered' }, STORE_NOON);
}

/** Runs the operations of operators, one after another. */
async function operateOnce(store: SqlStore, at: Instant): Promise<void> {
  const model = 'small' as ModelSlug;
  await store.controls.setIncidentLimit({ model, setAt: at, requestsPerMinute: 10, tokensPerMinute: null, concurrentRequests: null, expiresAt: null }, BY);
  await store.controls.listIncidentLimits();
  await store.controls.blockNetwork('192.0.2.0/24', UNTIL_UNBLOCKED, BY);
  await store.controls.unblockNetwork('192.0.2.0/24', BY);
  await store.auditTrail.list({ ...NO_AUDIT_FILTERS, limit: 5, cursor: null });
  await store.installation.fingerprint();
  await store.people.findByEmail('person@example.test');
  expect(store.platform.current().incidentLimits.size).toBe(1);
}

/** Tests that a gateway sweeps the checkpoints of an older release, which do not contain the token classes that were added since. */
function olderCheckpointContract(start: () => Promise<AddedColumnsSubject>): void {
  it.each(TOKEN_COUNTS.filter((count) => !isAlwaysStored(count)))('may be missing in a checkpoint of an older release, which is then swept with 0 as $name', async ({ name, field }) => {
    const subject = await start();
    const { store } = subject;
    const driver = await StoreDriver.start(() => store);
    await driver.credit('1000');
    await driver.reserve(1, '100', { owner: OTHER_OWNER });
    const usage = distinctUsage(1, { source: 'checkpoint' });
    const progress = new Map([[reservationId(1), { service: aServedModel(), usage }]]);
    await store.ledger.checkpoint({ ownerId: OTHER_OWNER, progress, at: STORE_NOON, leaseExpiresAt: STORE_NOON });
    await subject.run(`update reservations set progress = replace(progress, '"${field}":', '"no_${name}":')`);
    expect(await store.ledger.sweep(STORE_NOON)).toHaveLength(1);
    expect((await store.usage.find(STORE_ALICE, requestId(1)))?.usage).toEqual({ ...usage, [field]: NO_TOKENS });
  });
}

/** A newer release may add columns to the tables of a running gateway, because gateways of both releases share the database during an upgrade. */
export function addedColumnsContract(database: string, make: () => Promise<AddedColumnsSubject>): void {
  describe(`columns that a newer release adds to ${database}`, () => {
    let subject: AddedColumnsSubject;
    afterEach(() => subject.close());

    olderCheckpointContract(async () => (subject = await make()));

    it('change nothing for a running gateway, whichever table gets them', async () => {
      subject = await make();
      const { store } = subject;
      const driver = await StoreDriver.start(() => store);
      await driver.credit('1000000');
      await store.keys.create(creationOf(numberedKey(1)));
      const tables = await subject.tables();
      expect(tables.length).toBeGreaterThan(30);
      const failures: string[] = [];
      let number = 1;
      let during = 'no column';
      const round = async (): Promise<void> => {
        const works = Array.from({ length: subject.workers }, () => workOnce(driver, store, number++));
        const results = await Promise.allSettled([...works, operateOnce(store, later(STORE_NOON, number))]);
        failures.push(...results.flatMap((result) => (result.status === 'rejected' ? [`${during}: ${String(result.reason)}`] : [])));
      };
      await round();
      for (const changed of portionsOf(tables, TABLES_OF_A_ROUND)) {
        during = changed.join(', ');
        const serving = round();
        for (const table of changed) await subject.run(`alter table ${table} add column of_a_newer_release bigint`);
        await serving;
        subject.age();
      }
      await round();
      expect([...new Set(failures)]).toEqual([]);
      expect((await store.ledgerAudit.verify()).differences).toEqual([]);
      expect(await store.auditTrail.verifyAuditTrail()).toMatchObject({ fault: null });
    }, 120_000);
  });
}
