import { type PostgresServer, type PostgresServerOptions, type PreparedCluster, startPostgresServer } from '@tollgate/testkit';
import { Client } from 'pg';

/** Runs the statements on a separate connection. Returns the rows of the last one. */
export async function onDatabase(url: string, ...statements: readonly string[]): Promise<readonly Record<string, unknown>[]> {
  const client = new Client({ connectionString: url }).on('error', () => undefined);
  await client.connect();
  try {
    let rows: readonly Record<string, unknown>[] = [];
    for (const statement of statements) ({ rows } = await client.query<Record<string, unknown>>(statement));
    return rows;
  } finally {
    await client.end();
  }
}

const FIRST_DATABASES = 'select datname as name from pg_database';

let shared: Promise<PostgresServer> | null = null;

/** Databases of one test file. All files of a worker share a server, except those with server options of their own. */
export class TestDatabases {
  #created = 0;

  private constructor(readonly server: PostgresServer, private readonly isOwn: boolean, private readonly first: ReadonlySet<unknown>) {}

  static async open(prepared: PreparedCluster, options: PostgresServerOptions | null): Promise<TestDatabases> {
    const server = await (options === null ? shared ??= startPostgresServer({ prepared, isShared: true }) : startPostgresServer({ prepared, ...options }));
    const first = await onDatabase(server.url(), FIRST_DATABASES);
    return new TestDatabases(server, options !== null, new Set(first.map(({ name }) => name)));
  }

  /** Copies the template, and returns the copy's URL. */
  async create(template: string): Promise<string> {
    this.#created += 1;
    const name = `test_${this.#created}`;
    // `file_copy` takes a quarter of the CPU time of the other strategy, which writes each page to the log.
    await onDatabase(this.server.url(), `create database ${name} template ${template} strategy file_copy`);
    return this.server.url(name);
  }

  /** Removes the databases, including those that tests created or renamed. */
  async close(): Promise<void> {
    if (this.isOwn) return this.server.stop();
    const present = await onDatabase(this.server.url(), FIRST_DATABASES);
    const added = present.flatMap(({ name }) => (this.first.has(name) ? [] : [`drop database "${String(name)}" with (force)`]));
    await onDatabase(this.server.url(), ...added);
  }
}
