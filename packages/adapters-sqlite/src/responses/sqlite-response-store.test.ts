import { readdirSync, readFileSync, rmSync, statSync, truncateSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { type AccountId, type KeepResponse, later, MILLISECONDS_PER_HOUR, type ResponseStore, MAX_STORED_RESPONSE_BYTES } from '@tollgate/core';
import { aKeptResponse, STORE_ALICE, STORE_BOB, STORE_NOON } from '@tollgate/testkit';
import Database from 'better-sqlite3';
import type { SqliteStore } from '../open-sqlite-store.js';
import { storeFile, type StoreFile } from '../test-support/stores.js';

const TOMORROW = later(STORE_NOON, 24 * MILLISECONDS_PER_HOUR);
const LARGEST = MAX_STORED_RESPONSE_BYTES;
const NAME_OF_FIRST = '1.texts';

let place: StoreFile;
let store: SqliteStore;
let responses: ResponseStore;

async function reopen(): Promise<void> {
  await store.close();
  store = await place.open();
  ({ responses } = store);
}

beforeEach(async () => {
  place = storeFile();
  store = await place.open();
  ({ responses } = store);
});
afterEach(async () => {
  await store.close();
  place.remove();
});

const folder = (): string => `${place.file}-responses`;
const files = (): readonly string[] => readdirSync(folder()).toSorted();
const bytesOnDisk = (): number => files().reduce((total, name) => total + statSync(join(folder(), name)).size, 0);
const textsOnDisk = (): string => files().map((name) => readFileSync(join(folder(), name), 'latin1')).join('');
const withText = (number: number, text: string): KeepResponse => aKeptResponse(number, { inputItems: JSON.stringify([text]), expiresAt: TOMORROW });

function inDatabase<T>(task: (direct: Database.Database) => T): T {
  const direct = new Database(place.file);
  try {
    return task(direct);
  } finally {
    direct.close();
  }
}

async function found(...numbers: readonly number[]): Promise<readonly number[]> {
  const all = await Promise.all(numbers.map((number) => responses.find(STORE_ALICE, `resp_${number}`, STORE_NOON)));
  return numbers.filter((_, index) => all[index] !== null);
}

/** Keeps so many of the largest responses, 20 for each account; one that ends in a number divisible by `staying` expires tomorrow, the others at once. */
async function fill(count: number, staying: number): Promise<void> {
  for (let number = 0; number < count; number += 1) {
    const accountId = `acct_${Math.floor(number / 20)}` as AccountId;
    const stays = number % staying === 0;
    const body = (stays ? `staying ${number} ` : '').padEnd(LARGEST - 4, 'x');
    await responses.keep(aKeptResponse(number, { accountId, inputItems: '[]', outputItems: '[]', body, expiresAt: stays ? TOMORROW : STORE_NOON }));
  }
}

/** Sweeps until nothing is left to do. */
async function sweepAll(at = STORE_NOON): Promise<void> {
  while (await responses.sweep(at) > 0);
  await responses.sweep(at);
}

describe('responses beside a database file', () => {
  it('are there for the next process, and their texts are in no database', async () => {
    await responses.keep(withText(1, 'Grüße'));
    await reopen();
    expect(await responses.find(STORE_ALICE, 'resp_1', STORE_NOON)).toMatchObject({ id: 'resp_1', inputItems: '["Grüße"]' });
    const stored = inDatabase((direct) => direct.prepare('SELECT input_items, output_items, body FROM stored_responses').all());
    expect(stored).toEqual([{ input_items: '', output_items: '', body: '' }]);
  });

  it('may be in their rows, where an earlier version kept them', async () => {
    await responses.keep(withText(2, 'later'));
    inDatabase((direct) => direct.exec(`INSERT INTO stored_responses (account_id, id, previous_id, bytes, expires_at, input_items, output_items, body)
      VALUES ('${STORE_ALICE}', 'resp_1', NULL, 6, ${TOMORROW}, '[]', '[]', '{}')`));
    await responses.keep(aKeptResponse(3, { previousId: 'resp_1' }));
    const old = { id: 'resp_1', previousId: null, inputItems: '[]', outputItems: '[]', body: '{}' };
    expect(await responses.find(STORE_ALICE, 'resp_1', STORE_NOON)).toEqual(old);
    expect(await responses.findAll(STORE_ALICE, ['resp_2', 'resp_1', 'resp_3'], STORE_NOON)).toMatchObject([{ inputItems: '["later"]' }, old, { id: 'resp_3' }]);
    expect(await responses.chain(STORE_ALICE, 'resp_3', STORE_NOON)).toMatchObject({ outcome: 'found', responses: [old, { id: 'resp_3' }] });
    expect(await responses.remove(STORE_ALICE, 'resp_1', STORE_NOON)).toBe(true);
  });

  it.each<[string, (file: string) => void]>([
    ['is gone', (file) => rmSync(file)],
    ['ends before them', (file) => truncateSync(file, 20)],
    ['has zeros where they were', (file) => writeFileSync(file, Buffer.alloc(statSync(file).size))],
    ['has zeros in their middle', (file) => writeFileSync(file, readFileSync(file, 'latin1').replaceAll('Hello', '\0\0\0\0\0').replaceAll('message', 'm\0\0sage'))],
  ])('are missing when their file %s', async (_how, damage) => {
    await responses.keep(withText(1, 'Hello'));
    await responses.keep(aKeptResponse(2, { previousId: 'resp_1' }));
    await store.close();
    damage(join(folder(), NAME_OF_FIRST));
    store = await place.open();
    ({ responses } = store);
    await responses.keep(aKeptResponse(3, { previousId: 'resp_2' }));
    expect(await found(1, 2, 3)).toEqual([3]);
    expect(await responses.chain(STORE_ALICE, 'resp_3', STORE_NOON)).toEqual({ outcome: 'missing' });
    expect(await responses.findAll(STORE_ALICE, ['resp_1', 'resp_3'], STORE_NOON)).toMatchObject([{ id: 'resp_3' }]);
  });

  it('are shown to no other account, even by a row that says so', async () => {
    await responses.keep(withText(1, 'of Alice'));
    await responses.keep(aKeptResponse(2));
    inDatabase((direct) => {
      direct.exec(`UPDATE stored_responses SET account_id = '${STORE_BOB}' WHERE id = 'resp_1'`);
      direct.exec("UPDATE stored_responses SET position = 0, length = (SELECT length FROM stored_responses WHERE id = 'resp_1') WHERE id = 'resp_2'");
    });
    expect([await responses.find(STORE_BOB, 'resp_1', STORE_NOON), await responses.find(STORE_ALICE, 'resp_2', STORE_NOON)]).toEqual([null, null]);
  });

  it('are erased from the disk when they are removed, and when their account is', async () => {
    for (const number of [1, 2, 3]) await responses.keep(withText(number, `secret ${number}`));
    await responses.keep(aKeptResponse(4, { accountId: STORE_BOB, body: '"of Bob"' }));
    expect(await responses.remove(STORE_ALICE, 'resp_2', STORE_NOON)).toBe(true);
    expect(['secret 1', 'secret 2', 'of Bob'].map((text) => textsOnDisk().includes(text))).toEqual([true, false, true]);
    await store.erasure.eraseLeftovers(STORE_ALICE);
    expect(['secret', 'of Bob'].map((text) => textsOnDisk().includes(text))).toEqual([false, true]);
    expect(await responses.find(STORE_BOB, 'resp_4', STORE_NOON)).toMatchObject({ body: '"of Bob"' });
  });

  it('are never taken for those of a file that is gone, also when these are removed', async () => {
    await responses.keep(withText(1, 'gone'));
    await store.close();
    rmSync(folder(), { recursive: true });
    store = await place.open();
    ({ responses } = store);
    await responses.keep(withText(2, 'here'));
    expect(files()).toEqual(['2.texts']);
    await responses.remove(STORE_ALICE, 'resp_1', STORE_NOON);
    expect(await responses.find(STORE_ALICE, 'resp_2', STORE_NOON)).toMatchObject({ inputItems: '["here"]' });
  });

  it('keep an id of any length', async () => {
    const id = `resp_${'x'.repeat(2_000)}`;
    await responses.keep(aKeptResponse(1, { id }));
    expect(await responses.find(STORE_ALICE, id, STORE_NOON)).toMatchObject({ id });
  });

  it('are counted again after a process that kept some has ended', async () => {
    const small = (number: number): Promise<boolean> => responses.keep(aKeptResponse(number));
    for (let number = 0; number < 499; number += 1) await small(number);
    await reopen();
    await small(499);
    expect(await found(0, 499)).toEqual([0, 499]);
    await small(500);
    expect(await found(0, 32, 33, 500)).toEqual([33, 500]);
  });
});

describe('the files of responses', () => {
  it('are removed once nothing in them is stored, and not before', async () => {
    await fill(160, 1000);
    expect(files()).toEqual(['1.texts', '2.texts']);
    await sweepAll();
    // The first response of all stays, and with it the first file.
    expect(files()).toEqual(['1.texts', '2.texts']);
    await sweepAll(TOMORROW);
    await sweepAll(TOMORROW);
    expect(files()).toEqual([]);
  });

  it('are emptied into others when they are filled thinly: they take twice what is stored and 64 MiB at most, beside the current one', async () => {
    await fill(700, 20);
    expect(bytesOnDisk()).toBeGreaterThan(170 * 1024 * 1024);
    await sweepAll();
    await sweepAll();
    const staying = Array.from({ length: 35 }, (_, index) => index * 20);
    const all = await Promise.all(staying.map((number) => responses.find(`acct_${number / 20}` as AccountId, `resp_${number}`, STORE_NOON)));
    expect(all.map((response) => response?.body.length)).toEqual(staying.map(() => LARGEST - 4));
    expect(bytesOnDisk()).toBeLessThan((2 * 35 * LARGEST) + 98 * 1024 * 1024);
    await reopen();
    await sweepAll();
    expect(await responses.find('acct_34' as AccountId, 'resp_680', STORE_NOON)).toMatchObject({ id: 'resp_680' });
  });

  it('have nothing of accounts that are erased while they are emptied', async () => {
    await fill(700, 20);
    const accounts = Array.from({ length: 35 }, (_, index) => `acct_${index}` as AccountId);
    while (await responses.sweep(STORE_NOON) > 0);
    await Promise.all([responses.sweep(STORE_NOON), ...accounts.map((account) => store.erasure.eraseLeftovers(account))]);
    await sweepAll();
    const kept = files().filter((name) => name.endsWith('.texts'));
    expect(kept.filter((name) => readFileSync(join(folder(), name), 'latin1').includes('staying'))).toEqual([]);
    expect(inDatabase((direct) => direct.prepare('SELECT count(*) FROM stored_responses').pluck().get())).toBe(0);
  });

  it('are complete after an hour, so that what has expired does not stay', async () => {
    await responses.keep(aKeptResponse(1, { body: '"of today"', expiresAt: TOMORROW }));
    await responses.sweep(STORE_NOON);
    await responses.sweep(later(STORE_NOON, MILLISECONDS_PER_HOUR - 1));
    await responses.keep(aKeptResponse(2, { expiresAt: TOMORROW }));
    expect(files()).toEqual(['1.texts']);
    await responses.sweep(later(STORE_NOON, MILLISECONDS_PER_HOUR));
    await responses.keep(aKeptResponse(3, { expiresAt: later(TOMORROW, 1) }));
    expect(files()).toEqual(['1.texts', '2.texts']);
    await sweepAll(TOMORROW);
    await sweepAll(TOMORROW);
    expect([files(), textsOnDisk().includes('of today')]).toEqual([['2.texts'], false]);
  });
});
