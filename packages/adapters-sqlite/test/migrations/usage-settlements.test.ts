import { expect, it } from '@jest/globals';
import { anEnding, requestId, STORE_ALICE, STORE_NOON, StoreDriver } from '@tollgate/testkit';
import Database from 'better-sqlite3';
import { storeFile } from '../../src/test-support/stores.js';
import { UNDO_SINCE_USAGE_SETTLEMENTS } from '../../src/test-support/undo-steps.js';

it('reads records from before they said when they were booked, with what was reserved for them', async () => {
  const place = storeFile();
  const old = await place.open();
  const driver = await StoreDriver.start(() => old);
  await driver.credit('100');
  await driver.reserve(1, '10');
  await driver.settle(1, anEnding(7));
  await old.close();
  const connection = new Database(place.file);
  connection.exec(UNDO_SINCE_USAGE_SETTLEMENTS);
  connection.close();
  const store = await place.open();
  const record = await store.usage.find(STORE_ALICE, requestId(1));
  expect([record?.reserved?.toString(), record?.admittedAt, record?.settledAt, record?.service?.upstreamId]).toEqual(['10', STORE_NOON, null, null]);
  expect((await store.ledgerAudit.verify()).differences).toEqual([]);
  await store.close();
  place.remove();
});
