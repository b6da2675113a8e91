import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdirSync, writeFileSync } from 'node:fs';
import { type AddressInfo, createServer, type Server } from 'node:net';
import { MeasuredProcess, type RunningSubject, type Subject } from './subject.js';

const START_MILLISECONDS = 15_000;

interface OwnServer {
  readonly process: MeasuredProcess;
  readonly port: number;
  readonly readyMilliseconds: number;
}

interface OwnServerOptions {
  readonly name: string;
  /** Path of the program, relative to the compiled sources of this package. */
  readonly program: string;
  readonly folder: string;
  readonly environment: Readonly<Record<string, string>>;
}

function isListening(message: unknown): message is ListeningMessage {
  return typeof message === 'object' && message !== null && 'listening' in message;
}

export function startOwnProgram({ name, program, folder, environment }: OwnServerOptions): MeasuredProcess {
  const path = fileURLToPath(new URL(`../${program}`, import.meta.url));
  return MeasuredProcess.start({ name, argv: [path], folder, environment, logFile: join(folder, `${name}.log`) });
}

/** Resolves once the server listens. */
async function startOwnServer(options: OwnServerOptions): Promise<OwnServer> {
  const startedAt = performance.now();
  const process = startOwnProgram(options);
  const { listening } = await process.message(isListening, START_MILLISECONDS);
  return { process, port: listening, readyMilliseconds: performance.now() - startedAt };
}

export const UPSTREAM_ORIGIN = 'BENCH_UPSTREAM_ORIGIN';
export const PASS_THROUGH = 'BENCH_PASS_THROUGH';

export type PassThroughKind = 'node' | 'express' | 'parsing' | 'durable';

const CHAT_PATH = '/v1/chat/completions';

function passThrough(id: PassThroughKind, title: string): Subject {
  return {
    id,
    title,
    start: async ({ folder, upstreamPort }) => {
      const environment = { [UPSTREAM_ORIGIN]: `http://127.0.0.1:${upstreamPort}`, [PASS_THROUGH]: id };
      const server = await startOwnServer({ name: id, program: 'subjects/pass-through-main.js', folder, environment });
      return { id, title, path: CHAT_PATH, headers: {}, keys: [], ...server };
    },
  };
}

/** The least that a Node server does between client and upstream. */
export const NODE_PASS_THROUGH = passThrough('node', 'node:http pass-through');

/** The baseline for the figures of the gateways. */
export const EXPRESS_PASS_THROUGH = passThrough('express', 'Express pass-through');

/** Pass-throughs that each do one additional thing that a gateway does too. */
export const BOUNDS: readonly Subject[] = [passThrough('parsing', 'Express, parsing and printing'), passThrough('durable', 'Express, waiting for the disk')];

export async function startUpstream(folder: string): Promise<OwnServer> {
  return startOwnServer({ name: 'upstream', program: 'upstream/upstream-main.js', folder, environment: {} });
}

/** A subject that has no server between client and upstream. */
export function directTo(upstream: OwnServer): RunningSubject {
  return { id: 'direct', title: 'direct to the upstream', path: '/v1/chat/completions', headers: {}, keys: [], ...upstream };
}

const PORTKEY_PACKAGE = '@portkey-ai/gateway';
const PORTKEY_VERSION = '1.15.2';
const PORTKEY_START_MILLISECONDS = 30_000;
const PORTKEY_READY = /localhost:\d+|Your AI Gateway is/i;

async function installPortkey(folder: string): Promise<void> {
  mkdirSync(folder, { recursive: true });
  writeFileSync(join(folder, 'package.json'), JSON.stringify({ name: 'bench-peer', private: true }));
  const npm = spawn('npm', ['install', `${PORTKEY_PACKAGE}@${PORTKEY_VERSION}`, '--no-audit', '--no-fund', '--ignore-scripts', '--loglevel=error'], {
    cwd: folder, stdio: ['ignore', 'ignore', 'inherit'], shell: process.platform === 'win32',
  });
  const [code] = await once(npm, 'exit') as [number | null];
  if (code !== 0) throw new Error(`npm could not install ${PORTKEY_PACKAGE} ${PORTKEY_VERSION}`);
}

/** Finds a free port and releases it, because the server to be started does not accept port 0. */
async function freePort(): Promise<number> {
  const server = createServer().listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address() as AddressInfo;
  server.close();
  await once(server, 'close');
  return port;
}

async function startPortkey(folder: string, upstreamPort: number): Promise<RunningSubject> {
  const port = await freePort();
  const startedAt = performance.now();
  const measured = MeasuredProcess.start({
    name: 'portkey',
    argv: [join(folder, 'node_modules', PORTKEY_PACKAGE, 'build/start-server.js'), `--port=${port}`, '--headless'],
    folder,
    environment: { TRUSTED_CUSTOM_HOSTS: '127.0.0.1,localhost' },
    logFile: join(folder, 'portkey.log'),
  });
  await measured.printed(PORTKEY_READY, PORTKEY_START_MILLISECONDS);
  return {
    id: 'portkey',
    title: `${PORTKEY_PACKAGE} ${PORTKEY_VERSION}, no billing`,
    port,
    path: '/v1/chat/completions',
    headers: { 'x-portkey-provider': 'openai', 'x-portkey-custom-host': `http://127.0.0.1:${upstreamPort}/v1` },
    keys: ['sk-peer'],
    process: measured,
    readyMilliseconds: performance.now() - startedAt,
  };
}

/** A popular gateway that has neither authentication nor billing; npm installs it for this run. */
export async function portkey(folder: string): Promise<Subject> {
  await installPortkey(folder);
  return { id: 'portkey', title: PORTKEY_PACKAGE, start: ({ upstreamPort }) => startPortkey(folder, upstreamPort) };
}

interface ListeningMessage {
  readonly listening: number;
}

/** Listens on a free loopback port, and sends the port to the parent process. */
export function announcePort(server: Server): void {
  server.listen({ host: '127.0.0.1', port: 0, backlog: 4096 }, () => {
    const message: ListeningMessage = { listening: (server.address() as AddressInfo).port };
    process.send?.(message);
  });
}
