import { type ChildProcess, spawn } from 'node:child_process';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

/** A redis-server process of a test's own. It listens on a socket file only, and keeps nothing on disk. */
export interface RedisServer {
  /** Path of the socket; the same over every restart. */
  readonly path: string;
  /** Stops it in the middle of whatever it does (SIGSTOP): connections stay open and nothing answers. */
  pause(): void;
  resume(): void;
  /** Ends it with SIGKILL. Its data is gone. */
  kill(): Promise<void>;
  /** Starts it again, empty, after `kill`. */
  restart(): Promise<void>;
  /** Ends it and removes its folder. */
  stop(): Promise<void>;
}

const START_TIMEOUT_MILLISECONDS = 10_000;

/** Starts `redis-server`, which must be on the PATH. Resolves once it accepts connections. */
export async function startRedisServer(): Promise<RedisServer> {
  const folder = await mkdtemp(join(tmpdir(), 'tollgate-redis-'));
  const path = join(folder, 'redis.sock');
  let child = await startProcess(path, folder);
  return {
    path,
    pause: () => void child.kill('SIGSTOP'),
    resume: () => void child.kill('SIGCONT'),
    kill: () => kill(child),
    restart: async () => {
      child = await startProcess(path, folder);
    },
    stop: async () => {
      await kill(child);
      await rm(folder, { recursive: true, force: true });
    },
  };
}

async function startProcess(path: string, folder: string): Promise<ChildProcess> {
  const child = spawn('redis-server', [
    '--port', '0', '--unixsocket', path, '--dir', folder, '--save', '', '--appendonly', 'no', '--daemonize', 'no',
  ], { stdio: ['ignore', 'pipe', 'inherit'] });
  const killWithTests = (): void => void child.kill('SIGKILL');
  process.once('exit', killWithTests);
  child.once('exit', () => process.off('exit', killWithTests));
  await accepting(child);
  return child;
}

/** Reads the log until it says so; what comes after is read and dropped, or a full pipe would stop the server. */
function accepting(child: ChildProcess): Promise<void> {
  return new Promise((resolve, reject) => {
    let log = '';
    const fail = (why: string): void => {
      child.kill('SIGKILL');
      reject(new Error(`redis-server ${why}\n${log}`));
    };
    const timer = setTimeout(() => fail('did not start in time'), START_TIMEOUT_MILLISECONDS);
    child.once('error', (error) => fail(`could not be started: ${error.message}. Install it: apt-get install redis-server`));
    child.once('exit', () => {
      clearTimeout(timer);
      fail('ended');
    });
    child.stdout?.on('data', (chunk: Buffer) => {
      log = (log + chunk.toString()).slice(-10_000);
      if (!/ready to accept connections/i.test(log)) return;
      clearTimeout(timer);
      resolve();
    });
  });
}

async function kill(child: ChildProcess): Promise<void> {
  if (child.exitCode !== null || child.signalCode !== null) return;
  const ended = new Promise((resolve) => {
    child.once('exit', resolve);
  });
  child.kill('SIGKILL');
  await ended;
}
