import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { type AccountId, SYSTEM_ACTOR } from '@tollgate/core';
import type { SqlStore } from '@tollgate/sql-common';
import { OTHER_PROCESS } from '@tollgate/sql-common/testing';
import { anAccount, anEnding, compareFeed, readUsageFeedPage, reservationId, StoreDriver } from '@tollgate/testkit';
import { Client } from 'pg';
import { settleOperation } from './ledger/money-operation.js';
import { onDatabase, postgresFixture } from './test-support/postgres-stores.js';

const postgres = postgresFixture();
const ROUNDS = 25;
/** Settlements of each round that are in open transactions. */
const HELD_PER_ROUND = 2;
const PER_ROUND = 6;
const STATE = 'select records_through::int as through, pending_records::int as pending, last_position::int as last from usage_feed_state';

/** A reader that keeps its cursor. */
class UsageReader {
  readonly seen: string[] = [];
  private cursor: string | null = null;

  constructor(private readonly store: SqlStore, private readonly pageSize: number) {}

  async catchUp(): Promise<void> {
    for (let hasMore = true; hasMore;) {
      const page = await readUsageFeedPage(this.store.usageFeed, this.cursor, this.pageSize);
      this.seen.push(...page.entries.map(({ facts }) => facts.requestId));
      this.cursor = page.nextCursor;
      hasMore = page.hasMore;
    }
  }
}

/** A reader that continues from the highest number it has seen: a common method that misses records. */
class NaiveReader {
  readonly seen: string[] = [];
  private last = '0';

  constructor(private readonly client: Client) {}

  async catchUp(): Promise<void> {
    const { rows } = await this.client.query<{ id: string; number: string }>('select request_id as id, seq::text as number from usage_records where seq > $1::bigint order by seq', [this.last]);
    this.seen.push(...rows.map(({ id }) => id));
    this.last = rows.at(-1)?.number ?? this.last;
  }
}

function accountOf(place: number): AccountId {
  return `acct_${place}` as AccountId;
}

describe('the feed of usage on PostgreSQL, while transactions stay open', () => {
  let url: string;
  let driver: StoreDriver;
  let store: SqlStore;
  let other: SqlStore;
  const clients: Client[] = [];

  async function connect(): Promise<Client> {
    const client = new Client({ connectionString: url }).on('error', () => undefined);
    await client.connect();
    clients.push(client);
    return client;
  }

  beforeEach(async () => {
    url = await postgres.lendStoreDatabase();
    driver = await StoreDriver.start(() => postgres.open(url));
    store = driver.store as SqlStore;
    other = await postgres.open(url, { processId: OTHER_PROCESS });
    for (let place = 0; place < PER_ROUND; place += 1) await store.accounts.create(anAccount({ id: accountOf(place), email: `${place}@example.test` }), SYSTEM_ACTOR);
  });

  afterEach(async () => {
    await Promise.all(clients.splice(0).map((client) => client.end()));
    await other.close();
    await driver.close();
  });

  function settle(client: Client, number: number) {
    return client.query('select outcome from tollgate_money_1($1)', [JSON.stringify([settleOperation({ reservationId: reservationId(number), ending: anEnding(0) })])]);
  }

  it('gives each of three readers on two gateways every settlement once, unlike a reader that pages by sequence number', async () => {
    const holders = await Promise.all(Array.from({ length: HELD_PER_ROUND }, connect));
    const readers = [new UsageReader(store, 7), new UsageReader(other, 50), new UsageReader(other, 1_000)];
    const naive = new NaiveReader(await connect());
    for (let round = 0; round < ROUNDS; round += 1) {
      const numbers = Array.from({ length: PER_ROUND }, (_, place) => round * PER_ROUND + place);
      await Promise.all(numbers.map((number, place) => driver.reserve(number, '0', { facts: { accountId: accountOf(place) } })));
      for (const [place, holder] of holders.entries()) {
        await holder.query('begin');
        await settle(holder, round * PER_ROUND + place);
      }
      await Promise.all([...numbers.slice(HELD_PER_ROUND).map((number) => driver.settle(number, anEnding(0))), ...readers.map((reader) => reader.catchUp())]);
      await naive.catchUp();
      await readers[round % readers.length]?.catchUp();
      for (const holder of holders) await holder.query(round % 5 === 0 ? 'rollback' : 'commit');
    }
    await Promise.all([...readers.map((reader) => reader.catchUp()), naive.catchUp()]);
    const stored = (await onDatabase(url, 'select request_id from usage_records')).map((row) => String(row['request_id']));
    expect(stored).toHaveLength(ROUNDS * PER_ROUND - HELD_PER_ROUND * (ROUNDS / 5));
    expect(readers.map(({ seen }) => compareFeed(stored, seen))).toEqual(readers.map(() => ({ missed: 0, doubled: 0 })));
    expect(new Set(readers.map(({ seen }) => seen.join(' '))).size).toBe(1);
    expect(compareFeed(stored, naive.seen)).toEqual({ missed: HELD_PER_ROUND * (ROUNDS - ROUNDS / 5), doubled: 0 });
    await readers[0]?.catchUp();
    await readers[0]?.catchUp();
    // The feed skips numbers that were rolled back, once no open transaction can use them.
    expect(await onDatabase(url, STATE)).toEqual([{ through: ROUNDS * PER_ROUND, pending: ROUNDS * PER_ROUND, last: stored.length }]);
    expect(await onDatabase(url, 'select max(position) = count(*) as whole from usage_feed')).toEqual([{ whole: true }]);
  });

  it('stops before a number that an open transaction may still commit, even if a transaction that began earlier has committed', async () => {
    const [early, late] = [await connect(), await connect()];
    for (const number of [0, 1, 2]) await driver.reserve(number, '0', { facts: { accountId: accountOf(number) } });
    await early.query('begin; select pg_current_xact_id()');
    await late.query('begin');
    await settle(late, 0);
    await settle(early, 1);
    await early.query('commit');
    for (let turn = 0; turn < 3; turn += 1) expect(await readUsageFeedPage(store.usageFeed)).toMatchObject({ entries: [{ number: 1, facts: { requestId: 'req_1' } }], hasMore: false });
    expect(await onDatabase(url, STATE)).toEqual([{ through: 0, pending: 2, last: 1 }]);
    await late.query('commit');
    await driver.settle(2, anEnding(0));
    const { entries } = await readUsageFeedPage(store.usageFeed);
    expect(entries.map(({ facts }) => facts.requestId)).toEqual(['req_1', 'req_0', 'req_2']);
  });

  it('advances although some transaction is always open, once those open at the first read have ended', async () => {
    const [early, late] = [await connect(), await connect()];
    const begin = (client: Client) => client.query('begin; select pg_current_xact_id()');
    await driver.serve(1, anEnding(0));
    await begin(early);
    await readUsageFeedPage(store.usageFeed);
    await begin(late);
    await readUsageFeedPage(store.usageFeed);
    await early.query('commit');
    await readUsageFeedPage(store.usageFeed);
    expect(await onDatabase(url, STATE)).toEqual([{ through: 1, pending: 1, last: 1 }]);
    await late.query('commit');
  });

  it('advances after a restore to a server with lower transaction ids, and reads later settlements once', async () => {
    await driver.serve(1, anEnding(0));
    await onDatabase(url, 'update usage_feed_state set pending_transaction = 1000000000000');
    await driver.serve(2, anEnding(0));
    for (let turn = 0; turn < 3; turn += 1) await readUsageFeedPage(store.usageFeed);
    expect(await onDatabase(url, STATE)).toEqual([{ through: 2, pending: 2, last: 2 }]);
  });

  it('delays no settlement while positions are assigned', async () => {
    const holder = await connect();
    await holder.query('begin; select 1 from usage_feed_state for update');
    await driver.serve(1, anEnding(0));
    await holder.query('rollback');
    expect((await readUsageFeedPage(other.usageFeed)).entries).toHaveLength(1);
  });
});
