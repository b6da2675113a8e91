import { once } from 'node:events';
import { dirname } from 'node:path';
import { fileURLToPath } from 'node:url';
import { type DatabaseLocation, Databases, type SqlStore } from '@tollgate/sql-common';
import Database from 'better-sqlite3';
import { Client, type QueryArrayResult } from 'pg';
import { RandomIds, Sha256Hasher, SystemClock } from '@tollgate/adapters-node';
import { type Account, type AccountId, type PlanId, ServiceTokens, SYSTEM_ACTOR } from '@tollgate/core';
import { Child } from '@tollgate/kit';
import { CHAOS_PLAN } from './world/world.js';
import type { Outcome, Receipt } from './load.js';

/** As the database shows it, whole numbers in decimals. */
type Cell = string | null;
export type Row = readonly Cell[];

/** Reads a gateway's database through its driver alone, and writes nothing. */
export interface DatabaseView {
  /** The rows of each query, all from one snapshot of the database. */
  read(queries: readonly string[]): Promise<readonly (readonly Row[])[]>;
  close(): Promise<void>;
}

/** What the drivers of SQLite and PostgreSQL give for what is stored in these tables. */
type Stored = string | number | bigint | null;

function cellOf(value: Stored): Cell {
  return value === null ? null : String(value);
}

const TIMEOUT_MILLISECONDS = 2000;

/** Opens a database file read-only. */
export function viewSqlite(file: string): DatabaseView {
  const connection = new Database(file, { readonly: true, timeout: TIMEOUT_MILLISECONDS }).defaultSafeIntegers(true);
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

/** Reads a PostgreSQL database; connects at the first read, and again after its connection is lost. */
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
export function openBeside(database: DatabaseLocation): Promise<SqlStore> {
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
export async function seedAccounts(database: DatabaseLocation, balances: readonly string[]): Promise<readonly SeededAccount[]> {
  const store = await openBeside(database);
  const accounts: SeededAccount[] = [];
  for (const balance of balances) accounts.push(await seedAccount(store, balance));
  await store.close();
  return accounts;
}

/** Service tokens of every credit: a few requests' worth, so that the account runs out repeatedly. */
export const CREDIT = '3';

const PROGRAM = fileURLToPath(new URL('credit-forever.js', import.meta.url));

export interface CreditorOptions {
  readonly database: DatabaseLocation;
  readonly acknowledged: Acknowledged;
  /** The account that it credits. */
  readonly accountId: AccountId;
  readonly logFile: string;
}

/** A program beside the gateways, which credits an account as the command line does, until it is killed. */
export class Creditor {
  #unfinished = '';

  private constructor(private readonly child: Child, acknowledged: Acknowledged) {
    child.output.setEncoding('utf8').on('data', (text: string) => {
      const lines = `${this.#unfinished}${text}`.split('\n');
      this.#unfinished = lines.pop() ?? '';
      acknowledged.credits.push(...lines.map((reference) => ({ reference, amount: CREDIT })));
    });
  }

  /** Resolves once it has credited for the first time; rejects when it ends before. */
  static async start({ database, acknowledged, accountId, logFile }: CreditorOptions): Promise<Creditor> {
    const child = Child.start({
      name: 'the creditor', command: process.execPath, argv: [PROGRAM, JSON.stringify(database), accountId], folder: dirname(logFile), environment: {}, logFile,
    });
    const creditor = new Creditor(child, acknowledged);
    const isEnded = await Promise.race([once(child.output, 'data').then(() => false), child.ended.then(() => true)]);
    if (isEnded) throw new Error('the program that credits ended at its start');
    return creditor;
  }

  /** Resolves when it has ended and all acknowledgements it printed have been read. */
  async kill(): Promise<void> {
    this.child.kill();
    await this.child.closed;
  }
}

export interface AcknowledgedCredit {
  readonly reference: string;
  readonly amount: string;
}

/** Every confirmation about money, which the books must keep, and the outcome of each request. */
export class Acknowledged {
  readonly receipts: Receipt[] = [];
  readonly credits: AcknowledgedCredit[] = [];
  readonly outcomes: Outcome[] = [];

  note(outcome: Outcome): void {
    this.outcomes.push(outcome);
    if (outcome.receipt !== null) this.receipts.push(outcome.receipt);
  }
}
