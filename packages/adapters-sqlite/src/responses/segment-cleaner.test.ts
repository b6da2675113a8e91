import { readFileSync } from 'node:fs';
import { afterEach, beforeEach, expect, it } from '@jest/globals';
import { type AccountId, BookingObservers } from '@tollgate/core';
import { sqliteQueries } from '@tollgate/sql-common';
import { aKeptResponse, STORE_NOON } from '@tollgate/testkit';
import { GroupCommit } from '../durability/group-commit.js';
import { WriteAheadLog } from '../durability/write-ahead-log.js';
import { SharedBackgroundReader } from '../reading/shared-background-reader.js';
import { SqliteScriptRunner } from '../reading/sqlite-script-runner.js';
import { ChangeVersion } from '../reading/change-version.js';
import { openConnection, type SqliteConnection } from '../file/sqlite-connection.js';
import { storeFile, type StoreFile } from '../test-support/stores.js';
import { SegmentCleaner } from './segment-cleaner.js';
import { SqliteResponseStore } from './sqlite-response-store.js';
import { type Place, TextSegments } from './text-segments.js';

const TEXT = 'a text that stays';
/** One in each of the four files that 530 of the largest responses fill. */
const STAYING = [0, 200, 300, 400];

const accountOf = (number: number): AccountId => `acct_${number}` as AccountId;

/** Before a text is read, and between reading it and what is done with it, something else happens. */
class InterruptedSegments extends TextSegments {
  readonly synced: number[] = [];
  beforeReading = (): Promise<void> => Promise.resolve();
  afterReading = (): void => undefined;

  override async sync(segments: Iterable<number>): Promise<void> {
    await super.sync(segments);
    this.synced.push(...segments);
  }

  override async read(places: readonly Place[]): Promise<readonly (Buffer | null)[]> {
    await this.beforeReading();
    const texts = await super.read(places);
    this.afterReading();
    return texts;
  }
}

let place: StoreFile;
let connection: SqliteConnection;
let log: WriteAheadLog;
let backgroundReader: SharedBackgroundReader;

beforeEach(async () => {
  place = storeFile();
  await (await place.open()).close();
  connection = openConnection(place.file);
  log = new WriteAheadLog(connection);
  backgroundReader = new SharedBackgroundReader(connection.name);
});
afterEach(async () => {
  await backgroundReader.close();
  log.close();
  connection.close();
  place.remove();
});

interface Stored {
  readonly folder: string;
  readonly segments: InterruptedSegments;
  readonly responses: SqliteResponseStore;
  readonly cleaner: SegmentCleaner;
}

/** Four filled files, in each of which one response is still stored, and a fifth that is empty. */
async function fourThinFiles(): Promise<Stored> {
  const commits = new GroupCommit(connection, log);
  const runner = new SqliteScriptRunner(connection, commits, { changes: new ChangeVersion(connection), bookings: new BookingObservers(), backgroundReader });
  const folder = `${place.file}-texts`;
  const segments = new InterruptedSegments(folder);
  const parts = { connection, commits, queries: sqliteQueries(), runner, segments };
  const responses = new SqliteResponseStore(parts);
  for (let number = 0; number < 530; number += 1) {
    const body = `"${(STAYING.includes(number) ? TEXT : '').padEnd(262_000, 'x')}"`;
    await responses.keep(aKeptResponse(number, { accountId: accountOf(number), body }));
  }
  segments.completeCurrent();
  connection.exec("DELETE FROM stored_responses WHERE id NOT IN ('resp_0', 'resp_200', 'resp_300', 'resp_400')");
  return { folder, segments, responses, cleaner: new SegmentCleaner(parts) };
}

it('finds a response that is moved between a look at its row and its text', async () => {
  const { segments, responses, cleaner } = await fourThinFiles();
  for (const find of [
    () => responses.find(accountOf(0), 'resp_0', STORE_NOON),
    async () => (await responses.chain(accountOf(200), 'resp_200', STORE_NOON)).outcome === 'found',
  ]) {
    segments.beforeReading = async () => {
      segments.beforeReading = () => Promise.resolve();
      await cleaner.clean(STORE_NOON);
    };
    expect(await find()).toBeTruthy();
  }
  expect(connection.prepare('SELECT id FROM stored_responses WHERE segment > 5 ORDER BY id').pluck().all()).toEqual(['resp_0', 'resp_200']);
  expect(segments.synced).toEqual([6, 6]);
});

it('leaves nothing of a response that is removed while it is moved', async () => {
  const { folder, segments, cleaner } = await fourThinFiles();
  const removed: number[] = [];
  segments.afterReading = () => {
    removed.push(connection.prepare('DELETE FROM stored_responses WHERE segment = 1').run().changes);
  };
  for (let times = 0; times < 4; times += 1) await cleaner.clean(STORE_NOON);
  expect([removed[0], connection.prepare('SELECT count(*) FROM stored_responses WHERE segment > 5').pluck().get()]).toEqual([1, 1n]);
  segments.completeCurrent();
  const textsIn = (segment: number): number => readFileSync(`${folder}/${segment}.texts`, 'latin1').split(TEXT).length - 1;
  // With the third and the fourth alone, the files take less than twice what is stored and 64 MiB.
  expect([...segments.complete.keys()].map((segment) => [segment, textsIn(segment)])).toEqual([[3, 1], [4, 1], [6, 1]]);
});
