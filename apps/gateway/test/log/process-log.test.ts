import { type ChildProcess, execFileSync, spawn } from 'node:child_process';
import { once } from 'node:events';
import { closeSync, constants, mkdtempSync, openSync, readFileSync, readSync, rmSync, writeSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { stripVTControlCharacters } from 'node:util';
import { afterEach, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import { onSmallDisk } from '../faults/support/small-disk.js';
import { patiently } from '../faults/support/patiently.js';
import { compileGateway, PROGRAM } from '../instances/support/gateway-program.js';

const TEST_MILLISECONDS = 60_000;
const REQUESTS = 20;
const FILLING_BYTES = [4096, 1];

let folder: string;
const started: ChildProcess[] = [];
const open: number[] = [];

beforeAll(compileGateway, TEST_MILLISECONDS);

beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'tollgate-unwritable-log-'));
});

afterEach(() => {
  for (const child of started.splice(0)) child.kill('SIGKILL');
  for (const descriptor of open.splice(0)) closeSync(descriptor);
  rmSync(folder, { recursive: true });
});

function opened(path: string, flags: string | number): number {
  const descriptor = openSync(path, flags);
  open.push(descriptor);
  return descriptor;
}

/** A full pipe, at which a write blocks as at a shell's pipe. */
function fullPipe(name: string): { readonly writeEnd: number; readonly read: () => string } {
  const path = join(folder, name);
  execFileSync('mkfifo', [path]);
  const both = opened(path, constants.O_RDWR | constants.O_NONBLOCK);
  for (const bytes of FILLING_BYTES) fill(both, Buffer.alloc(bytes, '.'));
  const buffer = Buffer.alloc(1024 * 1024);
  const read = (): string => {
    try {
      return buffer.toString('utf8', 0, readSync(both, buffer)).replaceAll(/\.{2,}/g, '');
    } catch {
      return '';
    }
  };
  return { writeEnd: opened(path, constants.O_WRONLY), read };
}

function fill(descriptor: number, bytes: Buffer): void {
  try {
    for (;;) writeSync(descriptor, bytes);
  } catch {
    // The pipe is full.
  }
}

function start(stdout: 'pipe' | number, stderr: number, more: Readonly<Record<string, string>> = {}): ChildProcess {
  const environment = { PORT: '0', METRICS_PORT: '0', NODE_ENV: 'production', DATABASE_URL: `sqlite:${join(folder, 'tollgate.db')}`, ...more };
  const child = spawn(process.execPath, [PROGRAM], { cwd: folder, env: environment, stdio: ['ignore', stdout, stderr] });
  started.push(child);
  return child;
}

async function addressOf({ stdout }: ChildProcess): Promise<string> {
  if (stdout === null) throw new Error('the address is on standard output');
  let printed = '';
  for await (const chunk of stdout) {
    printed += String(chunk);
    const url = /^Tollgate listening on (\S+)$/m.exec(printed)?.[1];
    if (url !== undefined) return url;
  }
  throw new Error(`it did not start: ${printed}`);
}

async function startWithLog(stderr: number, more: Readonly<Record<string, string>> = {}): Promise<{ readonly program: ChildProcess; readonly url: string }> {
  const program = start('pipe', stderr, more);
  return { program, url: await addressOf(program) };
}

async function ask(url: string, times = REQUESTS): Promise<readonly number[]> {
  const replies = await Promise.all(Array.from({ length: times }, () => fetch(`${url}/v1/models`)));
  return replies.map(({ status }) => status);
}

const ANSWERED = Array.from({ length: REQUESTS }, () => 401);

async function endOf(program: ChildProcess): Promise<unknown> {
  const ended = once(program, 'exit');
  program.kill('SIGTERM');
  return (await ended)[0];
}

describe('a log that cannot be written', () => {
  it('on a device without space stops neither the service nor its shutdown', async () => {
    const { program, url } = await startWithLog(opened('/dev/full', 'w'));
    for (let round = 0; round < 3; round += 1) expect(await ask(url)).toEqual(ANSWERED);
    expect(await endOf(program)).toBe(0);
  }, TEST_MILLISECONDS);

  it('on a full pipe that is not read stops neither the service nor its shutdown', async () => {
    const { program, url } = await startWithLog(fullPipe('log').writeEnd);
    for (let round = 0; round < 3; round += 1) expect(await ask(url)).toEqual(ANSWERED);
    expect(await endOf(program)).toBe(0);
  }, TEST_MILLISECONDS);

  it('on a pipe that is full at first is complete once the pipe is read, and is JSON with LOG_FORMAT=auto', async () => {
    const pipe = fullPipe('log');
    const { program, url } = await startWithLog(pipe.writeEnd, { LOG_FORMAT: 'auto' });
    await ask(url);
    let log = '';
    await patiently(() => {
      log += pipe.read();
      return log.split('\n').filter((line) => line.includes('"msg":"request"')).length === REQUESTS;
    });
    expect(log).toMatch(/^{"level":30,.*"method":"GET","path":"\/v1\/models","status":401,.*"msg":"request"}$/m);
    expect(await endOf(program)).toBe(0);
  }, TEST_MILLISECONDS);

  it('on a full disk loses lines, which a metric counts, and states their number as soon as there is space', () => onSmallDisk(async (small) => {
    const path = join(small.folder, 'log');
    const { program, url } = await startWithLog(opened(path, 'a'));
    const read = (): readonly Record<string, unknown>[] => readFileSync(path, 'utf8').split('\n').flatMap((line) => {
      try {
        return [JSON.parse(line) as Record<string, unknown>];
      } catch {
        return [];
      }
    });
    await patiently(() => read().some(({ msg }) => String(msg).includes('metrics')));
    const metrics = String(read().find(({ msg }) => String(msg).includes('metrics'))?.['url']);
    const lostLines = async (): Promise<number> => Number(/^tollgate_log_lines_lost_total (\d+)$/m.exec(await (await fetch(metrics)).text())?.[1]);
    expect(await lostLines()).toBe(0);
    small.fill();
    for (let round = 0; await lostLines() === 0 && round < 100; round += 1) expect(await ask(url)).toEqual(ANSWERED);
    small.makeRoom();
    await patiently(() => read().some(({ lostLines: told }) => told !== undefined));
    expect(read().find(({ lostLines: told }) => told !== undefined)?.['lostLines']).toBe(await lostLines());
    expect(await endOf(program)).toBe(0);
  }), TEST_MILLISECONDS);
});

describe('a log that is not written to a terminal', () => {
  it('is readable for people with LOG_FORMAT=pretty', async () => {
    const path = join(folder, 'log');
    const { program, url } = await startWithLog(opened(path, 'a'), { LOG_FORMAT: 'pretty' });
    await fetch(`${url}/readyz`);
    expect(await endOf(program)).toBe(0);
    expect(stripVTControlCharacters(readFileSync(path, 'utf8'))).toMatch(/INFO: GET \/readyz 200 in \d+ ms {"requestId":/);
  }, TEST_MILLISECONDS);
});

describe('a first start', () => {
  it('prints the link and the key after all log lines', async () => {
    const path = join(folder, 'terminal');
    const terminal = opened(path, 'a');
    const program = start(terminal, terminal, { NODE_ENV: 'development', LOG_FORMAT: 'pretty' });
    const printed = (): string => readFileSync(path, 'utf8');
    await patiently(() => printed().includes('API key: '));
    expect(await endOf(program)).toBe(0);
    const [logged = '', announced = ''] = printed().split(/^(?=Tollgate listening)/m);
    expect(stripVTControlCharacters(logged)).toMatch(/^\[[\d:]+\] INFO: the database schema was created \{"steps":\d+\}\n\[[\d:]+\] INFO: serving metrics [^\n]+\n$/);
    expect(announced).toMatch(/^Sign in once, within an hour: /m);
    expect(stripVTControlCharacters(announced)).not.toContain('INFO');
  }, TEST_MILLISECONDS);
});

describe('a standard output that cannot be written', () => {
  it.each([['a device that takes nothing', () => opened('/dev/full', 'w')], ['a full pipe that is not read', () => fullPipe('out').writeEnd]])(
    'such as %s stops neither the service nor its shutdown', async (_name, stdout) => {
      const path = join(folder, 'log');
      const program = start(stdout(), opened(path, 'a'));
      await patiently(() => readFileSync(path, 'utf8').includes('"url"'));
      const [, metrics = ''] = /"url":"([^"]+)"/.exec(readFileSync(path, 'utf8')) ?? [];
      expect((await fetch(metrics)).status).toBe(200);
      expect(await endOf(program)).toBe(0);
    }, TEST_MILLISECONDS);
});
