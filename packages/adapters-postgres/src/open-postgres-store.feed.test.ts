import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { type AccountId, SYSTEM_ACTOR } from '@tollgate/core';
import type { SqlStore } from '@tollgate/sql-common';
import { OTHER_PROCESS } from '@tollgate/sql-common/testing';
import { anAccount, compareFeed, FeedReader, readPage, STORE_ALICE, STORE_BOB, STORE_NOON, StoreDriver, until } from '@tollgate/testkit';
import { Client } from 'pg';
import { onDatabase, postgresFixture } from './test-support/postgres-stores.js';

const postgres = postgresFixture();
const ACCOUNTS = Array.from({ length: 8 }, (_, number) => `acct_${number}` as AccountId);
const ROUNDS = 40;

/** A reader that continues from the highest number it has seen: a common method that misses events. */
class NaiveReader {
  readonly seen: string[] = [];
  private last = '0';

  constructor(private readonly client: Client) {}

  async catchUp(): Promise<void> {
    const { rows } = await this.client.query<{ id: string; number: string }>('select id, seq::text as number from events where seq > $1::bigint order by seq', [this.last]);
    this.seen.push(...rows.map(({ id }) => id));
    this.last = rows.at(-1)?.number ?? this.last;
  }
}

describe('the feed of events on PostgreSQL, while transactions stay open', () => {
  let url: string;
  let driver: StoreDriver;
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
    other = await postgres.open(url, { processId: OTHER_PROCESS });
    for (const [number, id] of ACCOUNTS.entries()) await driver.store.accounts.create(anAccount({ id, email: `${number}@example.test` }), SYSTEM_ACTOR);
  });

  afterEach(async () => {
    await Promise.all(clients.splice(0).map((client) => client.end()));
    await other.close();
    await driver.close();
  });

  function appendTo(account: AccountId): string {
    return `select tollgate_append_event_1('account.changed', '${account}', ${STORE_NOON}, '{"changed":[]}')`;
  }

  it('gives each of three readers on two gateways every event once, unlike a reader that pages by sequence number', async () => {
    const first = driver.store as SqlStore;
    const holders = await Promise.all([connect(), connect()]);
    const readers = [new FeedReader(first.events, 7), new FeedReader(other.events, 50), new FeedReader(other.events, 1_000)];
    const naive = new NaiveReader(await connect());
    for (let round = 0; round < ROUNDS; round += 1) {
      // The event of each holder has a lower number than the events below, but is committed only after those were read.
      for (const [place, holder] of holders.entries()) await holder.query(`begin; ${appendTo(ACCOUNTS[place] ?? STORE_ALICE)}`);
      await Promise.all([
        onDatabase(url, ...ACCOUNTS.slice(2).map(appendTo)),
        other.accounts.change(STORE_BOB, { name: `Bob ${round}` }, { actor: SYSTEM_ACTOR, at: STORE_NOON }),
        ...readers.map((reader) => reader.catchUp()),
      ]);
      await naive.catchUp();
      await readers[round % readers.length]?.catchUp();
      for (const holder of holders) await holder.query(round % 5 === 0 ? 'rollback' : 'commit');
    }
    await Promise.all([...readers.map((reader) => reader.catchUp()), naive.catchUp()]);
    const stored = (await onDatabase(url, 'select id from events')).map(({ id }) => String(id));
    expect(stored).toHaveLength(10 + 9 * ROUNDS - 2 * (ROUNDS / 5));
    expect(readers.map(({ seen }) => compareFeed(stored, seen))).toEqual(readers.map(() => ({ missed: 0, doubled: 0 })));
    expect(new Set(readers.map(({ seen }) => seen.join(' '))).size).toBe(1);
    expect(compareFeed(stored, naive.seen)).toEqual({ missed: 2 * (ROUNDS - ROUNDS / 5), doubled: 0 });
    const gaps = await onDatabase(url, `select account_id from events where account_id is not null group by account_id having max(account_sequence) <> count(*)`);
    expect(gaps).toEqual([]);
    expect(await onDatabase(url, 'select max(position) = count(*) as whole, max(position) = (select last_position from event_feed) as known from events')).toEqual([{ whole: true, known: true }]);
  });

  it('waits while another session assigns positions, so that none is assigned twice', async () => {
    const { events } = driver.store as SqlStore;
    const holder = await connect();
    await holder.query('begin; select pg_advisory_xact_lock(7086190023)');
    const reading = readPage(events);
    await until(async () => (await onDatabase(url, "select 1 from pg_locks where locktype = 'advisory' and not granted")).length > 0);
    await holder.query('select tollgate_position_events_1(5)');
    await holder.query('commit');
    expect((await reading).events).toHaveLength(10);
    expect(await readPage(other.events)).toEqual(await reading);
  });

  it('delays no booking while positions are assigned, and no reader while a transaction is open', async () => {
    const holder = await connect();
    await holder.query(`begin; ${appendTo(ACCOUNTS[0] ?? STORE_ALICE)}; select pg_advisory_xact_lock(7086190023)`);
    await driver.credit('1');
    expect(await driver.balance()).toBe('1/0/1');
    await holder.query('rollback');
    await holder.query(`begin; ${appendTo(ACCOUNTS[0] ?? STORE_ALICE)}`);
    const { events } = await readPage((driver.store as SqlStore).events);
    expect(events.at(-1)?.type).toBe('balance.booked');
    await holder.query('rollback');
  });
});
