import { type ChildProcess, execFile } from 'node:child_process';
import { chmod, chown, mkdir, mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { endServerProcess, startServerProcess } from '../processes/server-process.js';
import { signalFamily } from './signal-family.js';
import { stagePrograms } from './staged-programs.js';
import { type ProcessUser, unprivilegedUser } from './unprivileged-user.js';

/** A PostgreSQL server of a test's own. It listens on a socket file only, and its data goes with it. */
export interface PostgresServer {
  /** Path of the socket file, for a proxy in between. */
  readonly socket: string;
  /** Where a database of that name is; `postgres` is there from the start. */
  url(database?: string): string;
  /** Stops all its processes in the middle of whatever they do (SIGSTOP): connections stay open and nothing answers. */
  pause(): void;
  resume(): void;
  /** Ends it in the middle of whatever it does, as a crash would. Its data stays. Not while it is paused. */
  crash(): Promise<void>;
  /** Ends it as its operator would: connections are closed, and what was not committed is undone. Its data stays. */
  shutDown(): Promise<void>;
  /** Starts it again after `crash` or `shutDown`, recovering what it had committed. */
  restart(): Promise<void>;
  /** Ends it and removes its folder. */
  stop(): Promise<void>;
}

export interface PostgresServerOptions {
  /** `fast` does not wait for the disk: nothing survives a loss of power, which few tests are about. */
  readonly disk?: 'fast' | 'durable';
}

const START_TIMEOUT_MILLISECONDS = 30_000;
const USER = 'tollgate';
/** Names the socket file only: the server listens on no port. */
const PORT = '5432';

const run = promisify(execFile);

interface Place {
  readonly folder: string;
  readonly data: string;
  readonly user: ProcessUser;
  readonly settings: readonly string[];
}

/** Starts a server with the programs of the development dependency. Resolves once it accepts connections. */
export async function startPostgresServer({ disk = 'fast' }: PostgresServerOptions = {}): Promise<PostgresServer> {
  const folder = await mkdtemp(join(tmpdir(), 'tollgate-postgres-'));
  const settings = disk === 'fast' ? ['-F', '-c', 'full_page_writes=off'] : [];
  const place: Place = { folder, data: join(folder, 'data'), user: unprivilegedUser(), settings };
  try {
    await createCluster(place);
    let child = await startProcess(place);
    return {
      socket: join(folder, `.s.PGSQL.${PORT}`),
      url: (database = 'postgres') => `postgresql://${USER}@/${database}?host=${encodeURIComponent(folder)}`,
      pause: () => signalFamily(child, 'SIGSTOP'),
      resume: () => signalFamily(child, 'SIGCONT'),
      crash: () => endServerProcess(child, 'SIGQUIT'),
      shutDown: () => endServerProcess(child, 'SIGINT'),
      restart: async () => {
        child = await startProcess(place);
      },
      stop: async () => {
        await endServerProcess(child, 'SIGQUIT');
        await rm(folder, { recursive: true, force: true });
      },
    };
  } catch (thrown) {
    await rm(folder, { recursive: true, force: true });
    throw thrown;
  }
}

async function createCluster({ folder, data, user }: Place): Promise<void> {
  await stagePrograms(folder);
  await mkdir(data);
  await chmod(folder, 0o755);
  for (const path of [folder, data]) await chown(path, user.uid ?? -1, user.gid ?? -1);
  await run(join(folder, 'native/bin/initdb'), [
    '--pgdata', data, '--username', USER, '--auth', 'trust', '--encoding', 'UTF8', '--locale', 'C', '--no-sync', '--no-instructions',
  ], { ...user, cwd: folder, env: {} });
}

function startProcess({ folder, data, user, settings }: Place): Promise<ChildProcess> {
  return startServerProcess({
    name: 'postgres',
    command: join(folder, 'native/bin/postgres'),
    parameters: ['-D', data, '-k', folder, '-p', PORT, '-h', '', '-c', 'max_connections=200', ...settings],
    options: { ...user, cwd: folder, env: {}, stdio: ['ignore', 'ignore', 'pipe'] },
    log: 'stderr',
    isReady: /database system is ready to accept connections/,
    startTimeoutMilliseconds: START_TIMEOUT_MILLISECONDS,
    killSignal: 'SIGQUIT',
    advice: 'It comes with the development dependencies: npm ci',
  });
}
