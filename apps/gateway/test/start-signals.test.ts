import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, rmSync } from 'node:fs';
import { createServer, type AddressInfo, type Socket } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeAll, beforeEach, expect, it } from '@jest/globals';
import { compileGateway, PROGRAM } from './instances/support/gateway-program.js';

const TEST_MILLISECONDS = 60_000;

let folder: string;
let child: ChildProcess | null = null;

beforeAll(compileGateway, TEST_MILLISECONDS);
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'tollgate-start-signals-'));
});
afterEach(() => {
  child?.kill('SIGKILL');
  rmSync(folder, { recursive: true });
});

function start(environment: Readonly<Record<string, string>>): { readonly program: ChildProcess; readonly printed: () => string } {
  const program = spawn(process.execPath, [PROGRAM], { cwd: folder, env: { PORT: '0', ...environment }, stdio: ['ignore', 'pipe', 'pipe'] });
  let text = '';
  for (const output of [program.stdout, program.stderr]) output.on('data', (chunk: Buffer) => void (text += chunk.toString()));
  child = program;
  return { program, printed: () => text };
}

it.each(['SIGTERM', 'SIGINT'] as const)('%s ends a start that waits for its database, with exit code 0', async (signal) => {
  const sockets: Socket[] = [];
  const silent = createServer((socket) => sockets.push(socket.on('error', () => undefined))).listen(0, '127.0.0.1');
  await once(silent, 'listening');
  try {
    const { program, printed } = start({ DATABASE_URL: `postgresql://tollgate@127.0.0.1:${(silent.address() as AddressInfo).port}/tollgate` });
    await once(silent, 'connection');
    program.kill(signal);
    expect(await once(program, 'close')).toEqual([0, null]);
    expect(printed()).toBe('Stopping.\n');
  } finally {
    for (const socket of sockets) socket.destroy();
    silent.close();
  }
}, TEST_MILLISECONDS);
