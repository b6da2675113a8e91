import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { appendFileSync, chmodSync, chownSync, cpSync, existsSync, mkdirSync, openSync, readdirSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { Client } from 'pg';
import { type PostgresServer, startPostgresServer, until } from '@tollgate/testkit/programs';
import { onExit, type RoundOptions } from './fault-round.js';

const USER = 'tollgate';
const MAX_START_MILLISECONDS = 60_000;
const REMOVAL_ATTEMPTS = 20;
const REMOVAL_RETRY_MILLISECONDS = 100;

function ownAll(folder: string, uid: number, gid: number): void {
  chownSync(folder, uid, gid);
  for (const entry of readdirSync(folder, { recursive: true, encoding: 'utf8' })) chownSync(join(folder, entry), uid, gid);
}

async function ask(url: string, text: string): Promise<readonly Readonly<Record<string, unknown>>[]> {
  const client = new Client({ connectionString: url, connectionTimeoutMillis: 5000 });
  client.on('error', () => undefined);
  await client.connect();
  try {
    return (await client.query<Record<string, unknown>>(text)).rows;
  } finally {
    await client.end();
  }
}

/** Removes a folder; false if files are still written to it. */
function removes(folder: string): boolean {
  try {
    rmSync(folder, { recursive: true, force: true });
    return !existsSync(folder);
  } catch (thrown) {
    if ((thrown as NodeJS.ErrnoException).code === 'ENOTEMPTY') return false;
    throw thrown;
  }
}

/** Removes a server's folder; tries again while the server writes its last files. It is synchronous, because it runs at exit. */
function removeServerFolder(folder: string): void {
  for (let attempt = 1; attempt <= REMOVAL_ATTEMPTS && !removes(folder); attempt += 1) {
    Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, REMOVAL_RETRY_MILLISECONDS);
  }
}

/** A standby with streaming replication, copied from the primary while that is at rest. */
export class Standby {
  private child: ChildProcess | null = null;

  private constructor(private readonly folder: string) {}

  /** Creates a standby. The primary restarts for that, which breaks its connections. */
  static async of(primary: PostgresServer, options: RoundOptions): Promise<Standby> {
    const home = dirname(primary.socket);
    const folder = `${home}-standby`;
    const data = join(folder, 'data');
    await primary.shutDown();
    const standby = new Standby(folder);
    const cancel = onExit(() => standby.kill());
    options.defer(() => {
      cancel();
      return standby.stop();
    });
    mkdirSync(folder, { mode: 0o755 });
    cpSync(join(home, 'data'), data, { recursive: true });
    rmSync(join(data, 'postmaster.pid'), { force: true });
    writeFileSync(join(data, 'standby.signal'), '');
    appendFileSync(join(data, 'postgresql.auto.conf'), `primary_conninfo = 'host=${home} port=5432 user=${USER}'\n`);
    const { uid, gid } = statSync(join(home, 'data'));
    ownAll(folder, uid, gid);
    chmodSync(data, 0o700);
    await primary.restart();
    const log = openSync(join(options.folder, 'standby.log'), 'a');
    standby.child = spawn(join(home, 'native/bin/postgres'), [
      '-D', data, '-k', folder, '-p', '5432', '-h', '', '-c', 'max_connections=200',
    ], { cwd: folder, env: {}, stdio: ['ignore', log, log], ...(process.getuid?.() === 0 ? { uid, gid } : {}) });
    await until(() => ask(standby.url, 'select 1').then(() => true, () => false), MAX_START_MILLISECONDS);
    return standby;
  }

  get socket(): string {
    return join(this.folder, '.s.PGSQL.5432');
  }

  get url(): string {
    return `postgresql://${USER}@/postgres?host=${encodeURIComponent(this.folder)}`;
  }

  /** Resolves when the standby has replayed all that the primary has written so far. */
  async catchUp(primaryUrl: string): Promise<void> {
    const [position] = await ask(primaryUrl, 'select pg_current_wal_lsn()::text as lsn');
    await until(async () => (await ask(this.url, `select pg_last_wal_replay_lsn() >= '${String(position?.['lsn'])}'::pg_lsn as there`))[0]?.['there'] === true, MAX_START_MILLISECONDS);
  }

  /** Stops replication, so that the standby falls behind. */
  async lag(): Promise<void> {
    await ask(this.url, "alter system set primary_conninfo = ''");
    await ask(this.url, 'select pg_reload_conf()');
    await until(async () => (await ask(this.url, 'select 1 from pg_stat_wal_receiver')).length === 0, MAX_START_MILLISECONDS);
  }

  async promote(): Promise<void> {
    await ask(this.url, 'select pg_promote(true, 30)');
  }

  private kill(): void {
    this.child?.kill('SIGQUIT');
    removeServerFolder(this.folder);
  }

  private async stop(): Promise<void> {
    const { child } = this;
    const ended = child !== null && child.exitCode === null && child.signalCode === null ? once(child, 'exit') : null;
    child?.kill('SIGQUIT');
    await ended;
    this.kill();
  }
}

/** Starts a server with fsync. It stops with the round; its folder is removed with this process. */
export async function startServer({ defer }: Pick<RoundOptions, 'defer'>): Promise<PostgresServer> {
  const server = await startPostgresServer({ disk: 'durable' });
  const cancel = onExit(() => {
    // A paused server must continue in order to exit.
    server.resume();
    removeServerFolder(dirname(server.socket));
  });
  defer(() => {
    cancel();
    return server.stop();
  });
  return server;
}
