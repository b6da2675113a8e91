import { type DatabasePlace, Databases, type SqlStore } from '@tollgate/sql-common';
import Database from 'better-sqlite3';
import { Client, type QueryArrayResult } from 'pg';
import { RandomIds, Sha256Hasher, SystemClock } from '@tollgate/adapters-node';
import { type Account, type AccountId, type PlanId, ServiceTokens, SYSTEM_ACTOR } from '@tollgate/core';
import { CHAOS_PLAN } from '../world/world.js';

/** As the database shows it, whole numbers in decimals. */
export type Cell = string | null;
export type Row = readonly Cell[];

/** Looks into a gateway's database past everything that is ours, and writes nothing. */
export interface DatabaseView {
  /** What each query finds, all in one and the same state of the database. */
  read(queries: readonly string[]): Promise<readonly (readonly Row[])[]>;
  close(): Promise<void>;
}

/** What the drivers of SQLite and PostgreSQL give for what is stored in these tables. */
type Stored = string | number | bigint | null;

function cellOf(value: Stored): Cell {
  return value === null ? null : String(value);
}

const PATIENCE_MILLISECONDS = 2000;

/** Opens a database file to look into it. */
export function viewSqlite(file: string): DatabaseView {
  const connection = new Database(file, { readonly: true, timeout: PATIENCE_MILLISECONDS }).defaultSafeIntegers(true);
  const readAll = connection.transaction((queries: readonly string[]) => queries.map((query) => (
    (connection.prepare(query).raw().all() as Stored[][]).map((row): Row => row.map(cellOf)))));
  return {
    read: (queries) => Promise.resolve().then(() => readAll.deferred(queries)),
    close: () => Promise.resolve(void connection.close()),
  };
}

const CONNECT_MILLISECONDS = 20_000;

async function connect(url: string): Promise<Client> {
  const client = new Client({ connectionString: url, query_timeout: CONNECT_MILLISECONDS, connectionTimeoutMillis: CONNECT_MILLISECONDS });
  // A query reports the end of the connection; without a listener the process would end too.
  client.on('error', () => undefined);
  await client.connect();
  return client;
}

/** Opens a PostgreSQL database to look into it; connects when it is first asked, and once more when its connection has been lost. */
export function viewPostgres(url: string): DatabaseView {
  let connected: Client | null = null;
  const close = async (): Promise<void> => {
    const client = connected;
    connected = null;
    await client?.end().catch(() => undefined);
  };
  const ask = async (text: string): Promise<readonly QueryArrayResult[]> => {
    connected ??= await connect(url);
    return await connected.query({ text, rowMode: 'array' }) as unknown as readonly QueryArrayResult[];
  };
  return {
    read: async (queries) => {
      const text = ['begin isolation level repeatable read read only', ...queries, 'commit'].join(';\n');
      const results = await ask(text).catch(async () => {
        await close();
        return ask(text);
      });
      return results.slice(1, -1).map(({ rows }) => rows.map((row: readonly Stored[]): Row => row.map(cellOf)));
    },
    close,
  };
}

/** The adapter of a database, and its driver, are loaded when a database of its kind is opened. */
const databases = new Databases({ sqlite: () => import('@tollgate/adapters-sqlite'), postgres: () => import('@tollgate/adapters-postgres') });
const ids = new RandomIds();
const clock = new SystemClock();

/** Opens the database as a program beside the gateways, as the command line does. */
export function openBeside(database: DatabasePlace): Promise<SqlStore> {
  return databases.open(database, { clock, processId: ids.processId() });
}

export interface SeededAccount {
  readonly id: AccountId;
  /** In clear. */
  readonly key: string;
}

const MOST_KEYS = 10;

async function seedAccount(store: SqlStore, balance: string): Promise<SeededAccount> {
  const id = ids.accountId();
  const account: Account = {
    id, email: `${id}@example.com`, name: 'Chaos', planId: CHAOS_PLAN as PlanId, status: 'active', emailVerified: true, blocked: false, deletion: null, createdAt: clock.now(),
  };
  await store.accounts.create(account, SYSTEM_ACTOR);
  await store.ledger.credit({ accountId: id, amount: ServiceTokens.parse(balance), reference: 'seed', actor: SYSTEM_ACTOR, at: clock.now() });
  const secret = ids.apiKeySecret();
  const keyId = ids.apiKeyId();
  const key = {
    id: keyId, lineage: keyId, limit: null, accountId: id, name: 'chaos', hash: new Sha256Hasher().hash(secret), hint: 'sk-chaos', createdAt: clock.now(),
    expiresAt: null, revokedAt: null, lastUsedAt: null, blocked: false, models: null,
  };
  await store.keys.create({ key, maximumActive: MOST_KEYS, maximumPerHour: MOST_KEYS, actor: SYSTEM_ACTOR });
  return { id, key: secret.reveal() };
}

/** Makes a new database with one account for each balance. */
export async function seedAccounts(database: DatabasePlace, balances: readonly string[]): Promise<readonly SeededAccount[]> {
  const store = await openBeside(database);
  const accounts: SeededAccount[] = [];
  for (const balance of balances) accounts.push(await seedAccount(store, balance));
  await store.close();
  return accounts;
}
