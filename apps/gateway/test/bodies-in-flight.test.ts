import { afterEach, beforeEach, describe, expect, it, jest } from '@jest/globals';
import { BodyBudget } from '../src/http/body-budget.js';
import { MAX_WAITING_UNFUNDED } from '../src/http/waiting-requests.js';
import { eventually, RawConnection } from '../src/test-support/test-client.js';
import { type Replacements, startTestGateway, type TestCaller, type TestGateway } from '../src/test-support/start-test-gateway.js';

/** Limit for a test that hangs. It is long because each test sends megabytes through sockets, on busy machines too. */
jest.setTimeout(120_000);

const PATH = '/v1/messages';
const BODY = JSON.stringify({ model: 'small', max_tokens: 5, messages: [{ role: 'user', content: 'Hi' }] });
const MAXIMUM = 2_097_152;
/** Room for two maximum bodies, in total and per account. */
const SMALL_ROOM = 2 * MAXIMUM;
const LARGE_BODY = BODY.padEnd(100_000);

let gateway: TestGateway;
let other: TestCaller;
let connections: RawConnection[];
let tasksAtRest: number;

async function start(bodyBytesInFlight: number, services: Replacements = {}): Promise<void> {
  gateway = await startTestGateway({ settings: { bodyBytesInFlight }, services });
  other = await gateway.addCaller('other');
  tasksAtRest = await restingTasks();
}

beforeEach(() => {
  connections = [];
});

afterEach(async () => {
  for (const connection of connections) connection.destroy();
  await gateway.close();
});

type Headers = Readonly<Record<string, string | number>>;

async function send(headers: Headers, bytes: string | Buffer = ''): Promise<RawConnection> {
  const connection = await RawConnection.open(gateway.url);
  connections.push(connection);
  const lines = Object.entries({ host: 'test', 'x-api-key': gateway.caller.key, ...headers }).map(([name, value]) => `${name}: ${value}\r\n`);
  await connection.send(Buffer.concat([Buffer.from(`POST ${PATH} HTTP/1.1\r\n${lines.join('')}\r\n`), Buffer.from(bytes)]));
  return connection;
}

/** Number of timers of the background tasks. A task sets its next timer after a run, so the number must have settled. */
async function restingTasks(): Promise<number> {
  const TURNS_AT_REST = 50;
  let tasks = -1;
  for (let unchanged = 0; unchanged < TURNS_AT_REST; unchanged += 1) {
    if (gateway.clock.pendingTasks !== tasks) unchanged = 0;
    tasks = gateway.clock.pendingTasks;
    await new Promise((resolve) => {
      setImmediate(resolve);
    });
  }
  return tasks;
}

/** Waits until this many uploads are running or wait for room. */
function inFlight(count: number): Promise<void> {
  return eventually(() => gateway.clock.pendingTasks === tasksAtRest + count);
}

const HALF = Buffer.alloc(MAXIMUM / 2, ' ');
/** A chunk larger than 64 KiB. */
const CHUNK = Buffer.concat([Buffer.from('10001\r\n'), Buffer.alloc(0x10001, ' '), Buffer.from('\r\n')]);

/** Begins uploads, and waits until room for their whole bodies is reserved. */
async function hold(count: number, headers: Headers = { 'content-length': MAXIMUM }, bytes: Buffer = HALF): Promise<void> {
  const before = await restingTasks() - tasksAtRest;
  const bodies = gateway.gateway.container.get(BodyBudget);
  const largeBefore = bodies.used.large;
  for (let held = 0; held < count; held += 1) await send(headers, bytes);
  await inFlight(before + count);
  await eventually(() => bodies.used.large === largeBefore + count * MAXIMUM);
}

describe('a body for which there is no room', () => {
  it('is refused after a second if its account’s share is full, while other accounts are served', async () => {
    await start(64 * 1_048_576);
    await hold(4);
    const refused = await send({ 'content-length': LARGE_BODY.length }, LARGE_BODY);
    await inFlight(5);
    const served = await gateway.post(PATH, JSON.parse(BODY), { 'x-api-key': other.key });
    expect(served.status).toBe(200);
    gateway.clock.advance(999);
    await inFlight(5);
    expect(refused.received).toBe('');
    gateway.clock.advance(1);
    const reply = await refused.until('"rate_limit_exceeded"');
    expect(reply).toMatch(/^HTTP\/1\.1 429 /);
    expect(reply).toMatch(/\r\nretry-after: 1\r\n/);
    expect(reply).toMatch(/\r\nx-ratelimit-remaining-requests: 60\r\n/);
    expect(reply).not.toContain('x-should-retry');
  });

  it('is refused after a second when the room of all accounts is full', async () => {
    await start(SMALL_ROOM);
    await hold(2);
    const refused = await send({ 'content-length': LARGE_BODY.length, 'x-api-key': other.key }, LARGE_BODY);
    await inFlight(3);
    gateway.clock.advance(1000);
    const reply = await refused.until('"server_busy"');
    expect(reply).toMatch(/^HTTP\/1\.1 503 /);
    expect(reply).toMatch(/\r\nretry-after: 1\r\n/);
  });

  it('counts as 2 MiB once more than 64 KiB have arrived without a declared length', async () => {
    await start(SMALL_ROOM);
    await hold(2, { 'transfer-encoding': 'chunked' }, CHUNK);
    const waiting = await send({ 'content-length': LARGE_BODY.length }, LARGE_BODY);
    await inFlight(3);
    expect(waiting.received).toBe('');
  });

  it('gets no 100 Continue before there is room', async () => {
    await start(SMALL_ROOM);
    await hold(2);
    const waiting = await send({ 'content-length': LARGE_BODY.length, expect: '100-continue' });
    await inFlight(3);
    expect(waiting.received).toBe('');
    connections[0]?.destroy();
    await waiting.until('100 Continue');
    await waiting.send(LARGE_BODY);
    await waiting.until('"end_turn"');
  });
});

describe('the room of a body is freed', () => {
  const large = (text: string): string => text.padEnd(MAXIMUM);

  it.each<[string, Headers, string, string]>([
    ['when the request has been served', { 'content-length': MAXIMUM }, large(BODY), '"end_turn"'],
    ['when the body is no JSON', { 'content-length': MAXIMUM }, large('{'), '"invalid_request"'],
    ['when the body is no request', { 'content-length': MAXIMUM }, large('{"model":1}'), '"invalid_request"'],
    ['when the body is larger than it may be', { 'transfer-encoding': 'chunked' }, `300000\r\n${'x'.repeat(0x300000)}\r\n`, '"payload_too_large"'],
    ['when the body is refused by its announced length', { 'content-length': MAXIMUM + 1 }, '', '"payload_too_large"'],
    ['when the body is of another type', { 'content-length': MAXIMUM, 'content-type': 'text/plain' }, '', '"unsupported_media_type"'],
  ])('%s', async (_, headers, body, reply) => {
    await start(SMALL_ROOM);
    await hold(1);
    for (let times = 0; times < 3; times += 1) expect(await (await send(headers, body)).until(reply)).not.toContain('server_busy');
  });

  it('when the client disconnects, during the upload and while waiting', async () => {
    await start(SMALL_ROOM);
    await hold(2);
    await send({ 'content-length': MAXIMUM });
    await inFlight(3);
    connections[2]?.destroy();
    await inFlight(2);
    connections[1]?.destroy();
    await inFlight(1);
    expect(await (await send({ 'content-length': MAXIMUM }, large(BODY))).until('"end_turn"')).toContain('200 OK');
  });
});

/** Event loop turns between the first and the last reply. */
async function turnsBetween(replies: readonly Promise<unknown>[]): Promise<number> {
  let [turn, counting] = [0, true];
  const count = (): void => {
    turn += 1;
    if (counting) setImmediate(count);
  };
  setImmediate(count);
  const turns = await Promise.all(replies.map((reply) => reply.then(() => turn)));
  counting = false;
  return Math.max(...turns) - Math.min(...turns);
}

it('bodies that complete together are parsed over several event loop turns: one large body a turn, or small ones for 5 ms', async () => {
  // Each reading of this clock adds 3 ms, so that a turn of 5 ms parses two bodies on every machine.
  let milliseconds = 0;
  await start(64 * 1_048_576, { elapsed: () => (milliseconds += 3) });
  const turnsFor = async (body: string): Promise<number> => {
    const before = connections.length;
    await Promise.all(Array.from({ length: 20 }, () => send({ 'content-length': body.length + 1 }, body)));
    await inFlight(20);
    const ending = connections.slice(before);
    for (const connection of ending) void connection.send('!');
    return turnsBetween(ending.map((connection) => connection.until('"invalid_request"')));
  };
  expect(await turnsFor('{'.padEnd(131_072))).toBeGreaterThanOrEqual(2 * 18);
  // Two bodies fit in one turn.
  expect(await turnsFor(`[${'[],'.repeat(43_000)}`)).toBeGreaterThanOrEqual(10);
  expect(await turnsFor('{'.padEnd(8_191))).toBeLessThan(2 * 18);
});

describe('a customer with a balance is served during slow uploads of', () => {
  async function startWith(bodyBytesInFlight: number): Promise<void> {
    gateway = await startTestGateway({ settings: { bodyBytesInFlight, trustedProxies: ['127.0.0.0/8'] } });
    other = await gateway.addCaller('other');
    tasksAtRest = await restingTasks();
  }

  /** Statuses of two small requests and two of 100 KiB, sent without advancing the clock. */
  async function served(): Promise<readonly number[]> {
    const bodies = [BODY, BODY.padEnd(102_400)];
    const path = `${gateway.url}${PATH}`;
    const headers = { 'x-api-key': other.key, 'content-type': 'application/json' };
    return Promise.all([...bodies, ...bodies].map(async (body) => (await fetch(path, { method: 'POST', headers, body })).status));
  }

  it.each([['without a byte of their bodies', 0], ['of which half has arrived', MAXIMUM / 2]])('eight unfunded accounts with four uploads each %s', async (_, bytes) => {
    await startWith(64 * 1_048_576);
    const bodies = gateway.gateway.container.get(BodyBudget);
    for (let account = 0; account < 8; account += 1) {
      const { key } = await gateway.addCaller(`unpaid${account}`, { credit: '0' });
      for (let times = 0; times < 4; times += 1) void send({ 'x-api-key': key, 'content-length': MAXIMUM }, Buffer.alloc(bytes, ' '));
    }
    await eventually(() => connections.length === 32 && gateway.clock.pendingTasks >= tasksAtRest + 32);
    if (bytes > 0) await eventually(() => bodies.used.large >= 46 * 1_048_576);
    expect(await served()).toEqual([200, 200, 200, 200]);
  });

  it('six unfunded accounts with the maximum number of waiting requests', async () => {
    await startWith(8 * 1_048_576);
    const bodies = gateway.gateway.container.get(BodyBudget);
    const keys = await Promise.all(Array.from({ length: 6 }, async (_, account) => (await gateway.addCaller(`unpaid${account}`, { credit: '0' })).key));
    await hold(2, { 'x-api-key': keys[0] ?? '', 'content-length': MAXIMUM });
    await hold(1, { 'x-api-key': keys[1] ?? '', 'content-length': MAXIMUM });
    for (let number = 0; number < MAX_WAITING_UNFUNDED; number += 1) {
      void send({ 'x-api-key': keys[number % keys.length] ?? '', 'content-length': LARGE_BODY.length }, LARGE_BODY);
    }
    await eventually(() => bodies.waiting === MAX_WAITING_UNFUNDED);
    expect(await served()).toEqual([200, 200, 200, 200]);
  });

  it('sixteen networks without an account, behind a proxy', async () => {
    await startWith(4 * 1_048_576);
    const bodies = gateway.gateway.container.get(BodyBudget);
    const { host } = new URL(gateway.gateway.publicUrl);
    const head = `POST /dashboard/api/auth/sign-in HTTP/1.1\r\nhost: ${host}\r\norigin: http://${host}\r\ncontent-type: application/json\r\n`;
    for (let number = 0; number < 64; number += 1) {
      const connection = await RawConnection.open(gateway.url);
      connections.push(connection);
      void connection.send(`${head}content-length: 65536\r\nx-forwarded-for: 2001:db8:${number % 16}::${number}\r\n\r\n${' '.repeat(65_000)}`);
    }
    await eventually(() => bodies.used.small >= 45 * 65_000 && bodies.waiting > 0);
    expect(await served()).toEqual([200, 200, 200, 200]);
  });
});

describe('an upload that is broken off to make room', () => {
  it('is answered with 408 and Retry-After; the log and /readyz report that there is no room', async () => {
    await start(SMALL_ROOM);
    const unpaid = await gateway.addCaller('unpaid', { credit: '0' });
    const slow = await send({ 'content-length': MAXIMUM, 'x-api-key': unpaid.key }, Buffer.alloc(900_000, ' '));
    const bodies = gateway.gateway.container.get(BodyBudget);
    await eventually(() => bodies.used.arriving === 900_000);
    gateway.clock.advance(4500);
    await slow.send(Buffer.alloc(20_000, ' '));
    await eventually(() => bodies.used.arriving === 920_000);
    await hold(1);
    const waiting = await send({ 'content-length': MAXIMUM, 'x-api-key': other.key }, HALF);
    await eventually(() => bodies.waiting > 0);
    gateway.clock.advance(1000);
    const reply = await slow.until('"invalid_request"');
    expect(reply).toMatch(/^HTTP\/1\.1 408 /);
    expect(reply).toMatch(/\r\nretry-after: 1\r\n/);
    await eventually(() => bodies.used.large === 2 * MAXIMUM);
    expect(waiting.received).toBe('');
    expect(gateway.parts.logged).toContainEqual(expect.objectContaining({ level: 40, msg: expect.stringContaining('BODY_BYTES_IN_FLIGHT is reached') }));
    expect(await (await fetch(`${gateway.url}/readyz`)).json()).toMatchObject({ status: 'ready', bodies: 'full' });
  });
});

describe('a body that arrives too slowly', () => {
  it('is answered with 408 once its time is up, and the connection is closed', async () => {
    await start(SMALL_ROOM);
    const slow = await send({ 'content-length': MAXIMUM }, '{');
    await inFlight(1);
    gateway.clock.advance(6000);
    const reply = await slow.untilClosed();
    expect(reply).toMatch(/^HTTP\/1\.1 408 /);
    expect(reply).toMatch(/\r\nconnection: close\r\n/);
    expect(reply).not.toContain('x-should-retry');
    expect(reply).toContain('"code":"invalid_request"');
    expect(reply).toContain('at least 16384 bytes a second');
    expect(gateway.parts.logged.at(-1)).toMatchObject({ status: 408, code: 'invalid_request' });
    expect((await gateway.post(PATH, JSON.parse(BODY.padEnd(MAXIMUM)))).status).toBe(200);
  });
});
