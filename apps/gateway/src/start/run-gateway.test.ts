import { execFileSync } from 'node:child_process';
import { subscribe, unsubscribe } from 'node:diagnostics_channel';
import { createServer, type Server } from 'node:net';
import { mkdtempSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import Database from 'better-sqlite3';
import { VARIABLES } from '@tollgate/adapters-config';
import { ManualClock } from '@tollgate/adapters-memory';
import { rebind } from '../test-support/start-test-gateway.js';
import { createGateway } from '../composition/container.js';
import type { Gateway } from '../gateway/gateway.js';
import { StartRefused } from '../http/server/start-refused.js';
import { eventually } from '../test-support/test-client.js';
import { type GatewayProcess, runGateway } from './run-gateway.js';

/** Stands for the process, and records its exit code. */
class TestProcess {
  out = '';
  problems = '';
  exitCode: number | null = null;
  readonly #listeners = new Map<string, ((reason: unknown) => void)[]>();
  readonly stdout = { write: (text: string) => void (this.out += text), on: () => undefined };
  readonly stderr = { write: (text: string) => void (this.problems += text), on: () => undefined };

  readonly argv: readonly string[];

  constructor(readonly env: GatewayProcess['env'], private readonly folder: string, given: readonly string[] = []) {
    this.argv = ['node', 'main.js', ...given];
  }

  cwd(): string {
    return this.folder;
  }

  on(event: string, listener: (reason: unknown) => void): void {
    this.#listeners.set(event, [...(this.#listeners.get(event) ?? []), listener]);
  }

  seconds = 10;

  uptime(): number {
    return this.seconds;
  }

  exit(code: number): void {
    this.exitCode ??= code;
  }

  signal(name: string): void {
    for (const listener of this.#listeners.get(name) ?? []) listener(null);
  }
}

let folder = '';
const running: TestProcess[] = [];

beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'tollgate-start-'));
});

afterEach(async () => {
  for (const process of running.splice(0)) await stopped(process);
  rmSync(folder, { recursive: true });
});

function testProcess(environment: Readonly<Record<string, string>> = {}, given: readonly string[] = []): TestProcess {
  return new TestProcess({ PORT: '0', LOG_LEVEL: 'silent', DATABASE_URL: `sqlite:${join(folder, 'tollgate.db')}`, ...environment }, folder, given);
}

async function run(environment: Readonly<Record<string, string>> = {}, given: readonly string[] = [], collectGarbage = noCollection): Promise<TestProcess> {
  const process = testProcess(environment, given);
  await runIn(process, collectGarbage);
  if (process.exitCode === null) running.push(process);
  return process;
}

const noCollection = (): void => undefined;

function runIn(process: TestProcess, collectGarbage = noCollection): Promise<Gateway | null> {
  return runGateway(process, collectGarbage);
}

async function stopped(process: TestProcess): Promise<number | null> {
  process.signal('SIGTERM');
  await eventually(() => process.exitCode !== null);
  return process.exitCode;
}

async function freePort(): Promise<number> {
  const server = createServer();
  await new Promise<void>((resolve) => {
    server.listen(0, '127.0.0.1', resolve);
  });
  const { port } = server.address() as { port: number };
  await new Promise((resolve) => server.close(resolve));
  return port;
}

function urlIn(out: string): string {
  return /^Tollgate listening on (http:\S+)$/m.exec(out)?.[1] ?? '';
}

/** Resolves after the first piece of the stream. */
async function beginStream({ out }: TestProcess): Promise<ReadableStreamDefaultReader<Uint8Array>> {
  const reply = await fetch(`${urlIn(out)}/v1/chat/completions`, {
    method: 'POST',
    headers: { 'content-type': 'application/json', authorization: `Bearer ${/^API key: (\S+)$/m.exec(out)?.[1] ?? ''}` },
    body: JSON.stringify({ model: 'sandbox-small', stream: true, messages: [{ role: 'user', content: '[[tokens:1000]] [[pace:50]]' }] }),
  });
  const reader = (reply.body as ReadableStream<Uint8Array>).getReader();
  await reader.read();
  return reader;
}

/** Splits a line as a shell does. */
function argumentsOf(line: string): readonly string[] {
  return execFileSync('sh', ['-c', `printf '%s\\0' ${line}`], { encoding: 'utf8' }).split('\0').slice(0, -1);
}

/** Sends what `curl` would send, for the options that are printed. */
async function curl(line: string): Promise<Response> {
  const [program, ...options] = argumentsOf(line);
  expect(program).toBe('curl');
  const headers = new Headers();
  let url = '';
  let body: string | null = null;
  for (let position = 0; position < options.length; position += 1) {
    const option = options[position] ?? '';
    if (option === '-H') {
      const [name = '', ...value] = (options[position += 1] ?? '').split(': ');
      headers.set(name, value.join(': '));
    } else if (option === '-d') body = options[position += 1] ?? '';
    else if (option !== '-sS') url = option;
  }
  return fetch(url, { method: body === null ? 'GET' : 'POST', headers, body });
}

describe('the first start', () => {
  it('prints the gateway’s address, a key on its own line, and requests that work when pasted', async () => {
    const { out, problems } = await run();
    expect(out.split('\n')[0]).toMatch(/^Tollgate listening on http:\/\/127\.0\.0\.1:\d+$/);
    expect(out.match(/^API key: sk-[A-Za-z0-9]{48}$/gm)).toHaveLength(1);
    const lines = out.split('\n').filter((line) => line.startsWith('curl '));
    const replies = await Promise.all(lines.map(curl));
    expect(replies.map(({ status }) => status)).toEqual([200, 200, 200]);
    const [chat, messages, responses] = (await Promise.all(replies.map((reply) => reply.json()))) as { object?: string; type?: string }[];
    expect([chat?.object, messages?.type, responses?.object]).toEqual(['chat.completion', 'message', 'response']);
    expect(problems).toBe('');
  });

  it('is the only one that creates an account and shows a key', async () => {
    const first = await run();
    expect(await stopped(first)).toBe(0);
    const second = await run();
    expect(second.out).toMatch(/^Tollgate listening on \S+\nDashboard: .+\n$/);
  });

  it('creates no account in production', async () => {
    const { out } = await run({ NODE_ENV: 'production' });
    expect(out).not.toContain('API key');
  });

  it.each([['0.0.0.0', /^http:\/\/127\.0\.0\.1:\d+$/], ['localhost', /^http:\/\/localhost:\d+$/]])('on HOST=%s prints a usable address', async (host, address) => {
    const { out } = await run({ HOST: host });
    expect(urlIn(out)).toMatch(address);
    expect((await fetch(`${urlIn(out)}/healthz`)).status).toBe(200);
  });

  it.each(['0.0.0.0', '::'])('on HOST=%s warns that other machines can connect', async (host) => {
    const { out } = await run({ HOST: host });
    expect(out).toMatch(/^Tollgate listening on http:\S+$/m);
    expect(out).toContain(`HOST=${host}: it also listens on every other address of this machine, so other machines can reach it, without TLS.\n`);
  });

  it('on a loopback address does not mention other machines', async () => {
    expect((await run({ HOST: '127.0.0.1' })).out).not.toContain('other machines');
  });

  it('with an unreachable upstream succeeds, and reports that no model is known yet', async () => {
    const { out } = await run({ UPSTREAM_BASE_URL: 'http://127.0.0.1:1/v1' });
    expect(out).toMatch(/^API key: sk-/m);
    expect(out).toContain('No model is known yet');
    const ready = await fetch(`${urlIn(out)}/readyz`);
    expect([ready.status, await ready.json()]).toEqual([503, { status: 'unavailable', store: 'ok', models: 'none' }]);
  });
});

it('the start collects garbage once, before the gateway listens', async () => {
  const collections: Promise<string>[] = [];
  const port = await freePort();
  const { out } = await run({ PORT: `${port}` }, [], () => void collections.push(fetch(`http://127.0.0.1:${port}/readyz`).then(() => 'listening', () => 'closed')));
  expect(await Promise.all(collections)).toEqual(['closed']);
  expect(urlIn(out)).toBe(`http://127.0.0.1:${port}`);
});

describe('a start that cannot succeed', () => {
  it('prints one line per problem and exits with code 1', async () => {
    const { out, problems, exitCode } = await run({ PORT: 'http', LOG_LEVEL: 'loud' });
    expect([out, exitCode]).toEqual(['', 1]);
    expect(problems.trimEnd().split('\n').map((line) => line.split(':')[0])).toEqual(['PORT', 'LOG_LEVEL']);
  });

  it('names the port in use', async () => {
    const taken = createServer();
    await new Promise<void>((resolve) => {
      taken.listen(0, '127.0.0.1', resolve);
    });
    const { port } = taken.address() as { port: number };
    const { problems, exitCode } = await run({ PORT: String(port) });
    expect([problems, exitCode]).toEqual([`PORT: ${port} is in use by another program\n`, 1]);
    taken.close();
  });

  it('leaves nothing running', async () => {
    const first = await createGateway({ PORT: '0', LOG_LEVEL: 'silent', DATABASE_URL: 'sqlite::memory:' });
    const clock = new ManualClock();
    const environment = { PORT: new URL(first.url).port, LOG_LEVEL: 'silent', DATABASE_URL: 'sqlite::memory:' };
    const refused = await createGateway(environment, (container) => rebind(container, { clock })).catch((thrown: unknown) => thrown);
    await first.close();
    expect(refused).toEqual(new StartRefused([`PORT: ${environment.PORT} is in use by another program`]));
    expect(clock.pendingTasks).toBe(0);
  });

  it('names a file that is no database', async () => {
    writeFileSync(join(folder, 'tollgate.db'), 'no database at all, only some text that is long enough to be looked at'.repeat(100));
    const { problems, exitCode } = await run();
    expect(problems).toMatch(/^DATABASE_URL: .*tollgate\.db.*\n$/);
    expect(exitCode).toBe(1);
  });

  it('names the error in the catalogue', async () => {
    writeFileSync(join(folder, 'catalog.yaml'), 'models: 3\n');
    const { problems, exitCode } = await run({ CATALOG_FILE: join(folder, 'catalog.yaml') });
    expect(problems).toContain('catalog.yaml');
    expect(exitCode).toBe(1);
  });
});

describe('a start with arguments', () => {
  it.each([['--help'], ['-h'], ['--port 9000 --help']])('%s lists every setting with its default without starting', async (given) => {
    const { out, problems, exitCode } = await run({}, given.split(' '));
    for (const [name, { default: byDefault, meaning }] of Object.entries(VARIABLES)) expect(out).toContain(`  ${name}=${byDefault ?? ''}\n      ${meaning}\n`);
    expect([problems, exitCode, readdirSync(folder)]).toEqual(['', 0, []]);
  });

  it.each([['--port', ['--port', '9000']], ['serve', ['serve']]])('refuses %s, and says that settings are environment variables', async (named, given) => {
    const { out, problems, exitCode } = await run({}, given);
    expect(problems).toBe(`Unknown argument ${named}: settings are environment variables, which npm start -- --help lists.\n`);
    expect([out, exitCode, readdirSync(folder)]).toEqual(['', 2, []]);
  });
});

describe('a request to stop while the gateway starts', () => {
  /** Number of leases in the database. */
  const leases = (): number => {
    const database = new Database(join(folder, 'tollgate.db'), { readonly: true });
    try {
      return (database.prepare('SELECT count(*) AS held FROM process_leases').get() as { readonly held: number }).held;
    } finally {
      database.close();
    }
  };

  it.each(['SIGTERM', 'SIGINT'])('by %s ends the process with exit code 0 before anything is opened', async (signal) => {
    const process = testProcess();
    const starting = runIn(process);
    process.signal(signal);
    expect([process.out, process.exitCode]).toEqual(['Stopping.\n', 0]);
    expect(await starting).toBeNull();
    expect([process.out, process.problems]).toEqual(['Stopping.\n', '']);
  });

  it('that arrives once the database is open ends the process with exit code 0, without a lease and without listening', async () => {
    const port = await freePort();
    const process = testProcess({ PORT: `${port}` });
    const gateway = await runIn(process, () => {
      process.signal('SIGTERM');
      expect(process.exitCode).toBeNull();
    });
    expect([gateway, process.out, process.problems, process.exitCode]).toEqual([null, 'Stopping.\n', '', 0]);
    expect(leases()).toBe(0);
    await expect(fetch(`http://127.0.0.1:${port}/healthz`)).rejects.toThrow('fetch failed');
  });

  it('ends the process immediately when it is repeated', async () => {
    const process = testProcess();
    await runIn(process, () => {
      process.signal('SIGTERM');
      process.seconds += 0.5;
      process.signal('SIGTERM');
      expect(process.exitCode).toBe(130);
    });
  });

  it('closes a gateway that has just begun to listen, without announcing it', async () => {
    const process = testProcess();
    const stop = (message: unknown): void => {
      // The database's lock is a server too, but its address is a path.
      const address = (message as { readonly server: Server }).server.address();
      if (typeof address === 'object' && process.out === '') process.signal('SIGTERM');
    };
    subscribe('tracing:net.server.listen:asyncEnd', stop);
    await runIn(process).finally(() => unsubscribe('tracing:net.server.listen:asyncEnd', stop));
    await eventually(() => process.exitCode !== null);
    expect([process.out, process.problems, process.exitCode]).toEqual(['Stopping.\n', '', 0]);
    expect(leases()).toBe(0);
  });
});

describe('a request to stop', () => {
  it.each(['SIGTERM', 'SIGINT'])('by %s ends the process with exit code 0', async (signal) => {
    const process = await run();
    process.signal(signal);
    await eventually(() => process.exitCode !== null);
    expect(process.exitCode).toBe(0);
  });

  it('ends the process immediately when it is repeated', async () => {
    const process = await run();
    process.signal('SIGTERM');
    process.seconds += 0.5;
    process.signal('SIGINT');
    expect(process.exitCode).toBe(130);
  });

  it.each(['SIGINT', 'SIGTERM'])('counts once if npm repeats the %s within half a second', async (signal) => {
    const process = await run({ SHUTDOWN_GRACE_SECONDS: '20' });
    const stream = await beginStream(process);
    process.signal(signal);
    process.seconds += 0.49;
    process.signal(signal);
    expect(process.exitCode).toBeNull();
    await stream.cancel();
    await eventually(() => process.exitCode !== null);
    expect(process.exitCode).toBe(0);
  });

  it('prints only that the gateway stops if no request is running', async () => {
    const process = await run();
    process.signal('SIGINT');
    expect(process.out).toMatch(/\nStopping\.\n$/);
  });

  it('prints how long the gateway keeps serving', async () => {
    const process = await run({ SHUTDOWN_DELAY_SECONDS: '0.05' });
    process.signal('SIGTERM');
    expect(process.out).toContain('Stopping: serving 0.05 s more while /readyz answers 503. A second Ctrl-C (or SIGTERM) ends it at once.\n');
    await eventually(() => process.exitCode !== null);
    expect(process.exitCode).toBe(0);
  });

  it('prints how many requests are running, the grace period, and how to abort them', async () => {
    const process = await run({ SHUTDOWN_GRACE_SECONDS: '20' });
    const streams = [await beginStream(process), await beginStream(process)];
    process.signal('SIGINT');
    expect(process.out).toContain('Stopping: waiting up to 20 s for 2 running requests. A second Ctrl-C (or SIGTERM) ends them at once.\n');
    await Promise.all(streams.map((stream) => stream.cancel()));
    await eventually(() => process.exitCode !== null);
    expect(process.exitCode).toBe(0);
  });
});
