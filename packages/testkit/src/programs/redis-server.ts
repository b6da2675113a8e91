import type { ChildProcess } from 'node:child_process';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { endServerProcess, startServerProcess } from './server-process.js';

/** A redis-server process of a test's own. It listens on a socket file only, and keeps nothing on disk. */
export interface RedisServer {
  /** Path of the socket; the same over every restart. */
  readonly path: string;
  /** Pauses it (SIGSTOP): connections stay open and get no answers. */
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
    kill: () => endServerProcess(child, 'SIGKILL'),
    restart: async () => {
      child = await startProcess(path, folder);
    },
    stop: async () => {
      await endServerProcess(child, 'SIGKILL');
      await rm(folder, { recursive: true, force: true });
    },
  };
}

function startProcess(path: string, folder: string): Promise<ChildProcess> {
  return startServerProcess({
    name: 'redis-server',
    command: 'redis-server',
    parameters: ['--port', '0', '--unixsocket', path, '--dir', folder, '--save', '', '--appendonly', 'no', '--daemonize', 'no'],
    options: { stdio: ['ignore', 'pipe', 'inherit'] },
    log: 'stdout',
    isReady: /ready to accept connections/i,
    startTimeoutMilliseconds: START_TIMEOUT_MILLISECONDS,
    killSignal: 'SIGKILL',
    advice: 'Install it: apt-get install redis-server',
  });
}
