import Database from 'better-sqlite3';
import { Client, type QueryArrayResult } from 'pg';

/** Value of a column; numbers are decimal text. */
type Cell = string | null;
export type Row = readonly Cell[];

/** Reads the database of a gateway by its driver only, and never writes. */
export interface DatabaseView {
  /** Runs the queries in one snapshot. */
  read(queries: readonly string[]): Promise<readonly (readonly Row[])[]>;
  close(): Promise<void>;
}

/** Types of the values that both drivers return. */
type Stored = string | number | bigint | null;

function cellOf(value: Stored): Cell {
  return value === null ? null : String(value);
}

const TIMEOUT_MILLISECONDS = 2000;

/** Opens a database file for reading only. */
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
  // The query itself reports a broken connection. Without a listener, the error would also end the process.
  client.on('error', () => undefined);
  await client.connect();
  return client;
}

/** Connects at the first read. If a read fails, connects again and repeats the read once. */
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
