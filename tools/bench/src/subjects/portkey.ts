import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdirSync, writeFileSync } from 'node:fs';
import { type AddressInfo, createServer } from 'node:net';
import { join } from 'node:path';
import { MeasuredProcess } from '../processes/measured-process.js';
import type { RunningSubject, Subject } from './subject.js';

const PACKAGE = '@portkey-ai/gateway';
const VERSION = '1.15.2';
const START_MILLISECONDS = 30_000;
const READY = /localhost:\d+|Your AI Gateway is/i;

async function install(folder: string): Promise<void> {
  mkdirSync(folder, { recursive: true });
  writeFileSync(join(folder, 'package.json'), JSON.stringify({ name: 'bench-peer', private: true }));
  const npm = spawn('npm', ['install', `${PACKAGE}@${VERSION}`, '--no-audit', '--no-fund', '--ignore-scripts', '--loglevel=error'], {
    cwd: folder, stdio: ['ignore', 'ignore', 'inherit'], shell: process.platform === 'win32',
  });
  const [code] = await once(npm, 'exit') as [number | null];
  if (code !== 0) throw new Error(`npm could not install ${PACKAGE} ${VERSION}`);
}

/** The server accepts no port 0, so the bench finds a free one and releases it right before the start. */
async function freePort(): Promise<number> {
  const server = createServer().listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address() as AddressInfo;
  server.close();
  await once(server, 'close');
  return port;
}

async function start(folder: string, upstreamPort: number): Promise<RunningSubject> {
  const port = await freePort();
  const startedAt = performance.now();
  const measured = MeasuredProcess.start({
    name: 'portkey',
    argv: [join(folder, 'node_modules', PACKAGE, 'build/start-server.js'), `--port=${port}`, '--headless'],
    folder,
    environment: { TRUSTED_CUSTOM_HOSTS: '127.0.0.1,localhost' },
    logFile: join(folder, 'portkey.log'),
  });
  await measured.printed(READY, START_MILLISECONDS);
  return {
    id: 'portkey',
    title: `${PACKAGE} ${VERSION}, no billing`,
    port,
    path: '/v1/chat/completions',
    headers: { 'x-portkey-provider': 'openai', 'x-portkey-custom-host': `http://127.0.0.1:${upstreamPort}/v1` },
    keys: ['sk-peer'],
    process: measured,
    readyMilliseconds: performance.now() - startedAt,
  };
}

/** A popular gateway that neither authenticates nor bills, installed for this run alone. */
export async function portkey(folder: string): Promise<Subject> {
  await install(folder);
  return { id: 'portkey', title: PACKAGE, start: ({ upstreamPort }) => start(folder, upstreamPort) };
}
