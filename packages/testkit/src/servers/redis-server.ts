import type { ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, rm } from 'node:fs/promises';
import { connect } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { endServerProcess, startServerProcess } from './server-process.js';

/** A redis-server process for a test. It listens only on a Unix socket, and stores no data on disk. */
export interface RedisServer {
  /** The path of the Unix socket. It is the same after a restart. */
  readonly path: string;
  /** Pauses the server (SIGSTOP). Connections stay open, but are not answered. */
  pause(): void;
  resume(): void;
  /** Ends the server (SIGKILL). Its data is lost. */
  kill(): Promise<void>;
  /** Starts the server after `kill`, without data. */
  restart(): Promise<void>;
  /** Starts the server after `kill`, with data whose loading takes half a minute. Until then it answers `LOADING`. */
  restartLoading(): Promise<void>;
  /** Ends the loading. Resolves when the server accepts commands. */
  finishLoading(): Promise<void>;
  /** Ends the server, and removes its folder. */
  stop(): Promise<void>;
}

const START_TIMEOUT_MILLISECONDS = 10_000;
const DATA_FILE = 'slow.rdb';
const SLOW_KEYS = 30_000;
const KEY_MICROSECONDS = 1_000;
/** While it loads data, the server answers waiting commands each time it has loaded this many bytes. */
const LOADED_BYTES = 1_024;
const WITH_DATA = ['--dbfilename', DATA_FILE];
const SLOW_LOADING = [...WITH_DATA, '--key-load-delay', String(KEY_MICROSECONDS), '--loading-process-events-interval-bytes', String(LOADED_BYTES)];
const FILL = `for key = 1, ${SLOW_KEYS} do redis.call('set', 'filler:' .. key, key) end return 1`;

/** Starts `redis-server`, which must be on the PATH. Resolves when the server accepts connections. */
export async function startRedisServer(): Promise<RedisServer> {
  const folder = await mkdtemp(join(tmpdir(), 'tollgate-redis-'));
  const path = join(folder, 'redis.sock');
  const start = (parameters: readonly string[] = [], isReady = /ready to accept connections/i): Promise<ChildProcess> => startServerProcess({
    name: 'redis-server',
    command: 'redis-server',
    parameters: ['--port', '0', '--unixsocket', path, '--dir', folder, '--save', '', '--appendonly', 'no', '--daemonize', 'no', ...parameters],
    options: { stdio: ['ignore', 'pipe', 'inherit'] },
    log: 'stdout',
    isReady,
    startTimeoutMilliseconds: START_TIMEOUT_MILLISECONDS,
    killSignal: 'SIGKILL',
    advice: 'Install it: apt-get install redis-server',
  });
  let child = await start();
  return {
    path,
    pause: () => void child.kill('SIGSTOP'),
    resume: () => void child.kill('SIGCONT'),
    kill: () => endServerProcess(child, 'SIGKILL'),
    restart: async () => {
      child = await start();
    },
    restartLoading: async () => {
      child = await start(WITH_DATA);
      await answerOf(path, ['eval', FILL, '0']);
      await answerOf(path, ['save']);
      await endServerProcess(child, 'SIGKILL');
      child = await start(SLOW_LOADING, /loading rdb/i);
    },
    finishLoading: async () => {
      await answerOf(path, ['config', 'set', 'key-load-delay', '0']);
      while ((await answerOf(path, ['get', 'filler:1'])).startsWith('-LOADING'));
    },
    stop: async () => {
      await endServerProcess(child, 'SIGKILL');
      await rm(folder, { recursive: true, force: true });
    },
  };
}

/** The beginning of the server's reply. */
async function answerOf(path: string, command: readonly string[]): Promise<string> {
  const socket = connect(path);
  socket.write(`*${command.length}\r\n${command.map((word) => `$${Buffer.byteLength(word)}\r\n${word}\r\n`).join('')}`);
  const [answer] = await once(socket, 'data') as [Buffer];
  socket.destroy();
  return answer.toString();
}
