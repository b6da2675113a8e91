import { rmSync } from 'node:fs';
import { afterEach, beforeEach, expect, it } from '@jest/globals';
import { type AccountId, ALL_ACCOUNTS, StoreUnavailable } from '@tollgate/core';
import type { Script } from '@tollgate/sql-common';
import { CompiledQuery } from 'kysely';
import { storeFile, type StoreFile } from '../test-support/stores.js';
import { SharedBackgroundReader } from './shared-background-reader.js';

let place: StoreFile;
let reader: SharedBackgroundReader;

beforeEach(async () => {
  place = storeFile();
  await (await place.open()).close();
  reader = new SharedBackgroundReader(place.file);
});

afterEach(async () => {
  await reader.close();
  place.remove();
});

function* asking(sql: string): Script<readonly unknown[]> {
  const { rows } = yield CompiledQuery.raw(sql);
  return rows;
}

const ONE = [{ one: 1n }];

it('a query is answered after another one failed', async () => {
  const failed = reader.run(ALL_ACCOUNTS, () => asking('select * from nowhere'));
  const answered = reader.run(ALL_ACCOUNTS, () => asking('select 1 as one'));
  await expect(failed).rejects.toThrow('no such table');
  expect(await answered).toEqual(ONE);
});

it('a reader closes after the running query, and rejects the waiting ones', async () => {
  const started: number[] = [];
  const answers = [1, 2, 3].map((number) => reader.run(ALL_ACCOUNTS, () => {
    started.push(number);
    return asking('select 1 as one');
  }));
  const outcomes = Promise.allSettled(answers);
  await Promise.resolve();
  expect(started).toEqual([1]);
  await reader.close();
  const refused = { status: 'rejected', reason: expect.objectContaining({ code: 'service_unavailable' }) };
  expect(await outcomes).toEqual([{ status: 'fulfilled', value: ONE }, refused, refused]);
  expect(started).toEqual([1]);
});

it('another account is served before further scripts of the account whose script runs', async () => {
  const started: string[] = [];
  const ask = (account: string) => reader.run(account as AccountId, () => {
    started.push(account);
    return asking('select 1 as one');
  });
  await Promise.all([...Array.from({ length: 30 }, () => ask('acc_busy')), ask('acc_other')]);
  expect(started).toHaveLength(31);
  expect(started.indexOf('acc_other')).toBe(1);
});

it.each(['run', 'runAlone'] as const)('%s throws failures of the file as failures of the store, and errors of statements unchanged', async (kind) => {
  const run = (sql: string) => (kind === 'run' ? reader.run(ALL_ACCOUNTS, () => asking(sql)) : reader.runAlone(() => asking(sql)));
  await expect(run('select * from nowhere')).rejects.not.toBeInstanceOf(StoreUnavailable);
  await expect(run('delete from accounts returning id')).rejects.toBeInstanceOf(StoreUnavailable);
  rmSync(place.file);
  await expect(run('select 1')).rejects.toBeInstanceOf(StoreUnavailable);
});
