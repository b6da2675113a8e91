import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { eventually, RawConnection } from '../src/test-support/test-client.js';
import { startTestGateway, type TestCaller, type TestGateway } from '../src/test-support/start-test-gateway.js';

const PATH = '/v1/messages';
const BODY = JSON.stringify({ model: 'small', max_tokens: 5, messages: [{ role: 'user', content: 'Hi' }] });
const MAXIMUM = 2_097_152;
/** Room for two of the largest bodies, in all and for an account. */
const SMALL_ROOM = 2 * MAXIMUM;

let gateway: TestGateway;
let other: TestCaller;
let connections: RawConnection[];
let tasksAtRest: number;

async function start(bodyBytesInFlight: number): Promise<void> {
  gateway = await startTestGateway({ settings: { bodyBytesInFlight } });
  other = await gateway.addCaller('other');
  tasksAtRest = gateway.clock.pendingTasks;
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

/** Resolves when so many requests upload a body or wait for room. */
function inFlight(count: number): Promise<void> {
  return eventually(() => gateway.clock.pendingTasks === tasksAtRest + count);
}

/** Uploads that do not end. */
async function hold(count: number, headers: Headers = { 'content-length': MAXIMUM }): Promise<void> {
  const before = gateway.clock.pendingTasks - tasksAtRest;
  for (let held = 0; held < count; held += 1) await send(headers);
  await inFlight(before + count);
}

describe('a body for which there is no room', () => {
  it('is refused after a second when its own account has taken all of its share; others are served meanwhile', async () => {
    await start(64 * 1_048_576);
    await hold(4);
    const refused = await send({ 'content-length': BODY.length }, BODY);
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

  it('is refused after a second when all accounts together have taken all room', async () => {
    await start(SMALL_ROOM);
    await hold(2);
    const refused = await send({ 'content-length': BODY.length, 'x-api-key': other.key }, BODY);
    await inFlight(3);
    gateway.clock.advance(1000);
    const reply = await refused.until('"server_busy"');
    expect(reply).toMatch(/^HTTP\/1\.1 503 /);
    expect(reply).toMatch(/\r\nretry-after: 1\r\n/);
  });

  it('counts as 2 MiB when its length is not announced', async () => {
    await start(SMALL_ROOM);
    await hold(2, { 'transfer-encoding': 'chunked' });
    const waiting = await send({ 'content-length': BODY.length }, BODY);
    await inFlight(3);
    expect(waiting.received).toBe('');
  });

  it('is not asked for before there is room', async () => {
    await start(SMALL_ROOM);
    await hold(2);
    const waiting = await send({ 'content-length': BODY.length, expect: '100-continue' });
    await inFlight(3);
    expect(waiting.received).toBe('');
    connections[0]?.destroy();
    await waiting.until('100 Continue');
    await waiting.send(BODY);
    await waiting.until('"end_turn"');
  });
});

describe('room is given back', () => {
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

  it('when the client leaves, while it uploads and while it waits', async () => {
    await start(SMALL_ROOM);
    await hold(2);
    await send({ 'content-length': MAXIMUM });
    await inFlight(3);
    connections[2]?.destroy();
    await inFlight(2);
    connections[1]?.destroy();
    await inFlight(1);
    expect((await gateway.post(PATH, JSON.parse(BODY))).status).toBe(200);
  });
});

/** Turns of the event loop from the first to the last of these replies. */
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

it('bodies that end at once are parsed in several turns of the event loop: large ones one by one, others while a turn is short', async () => {
  await start(64 * 1_048_576);
  const turnsFor = async (body: string): Promise<number> => {
    const before = connections.length;
    await Promise.all(Array.from({ length: 20 }, () => send({ 'content-length': body.length + 1 }, body)));
    await inFlight(20);
    const ending = connections.slice(before);
    for (const connection of ending) void connection.send('!');
    return turnsBetween(ending.map((connection) => connection.until('"invalid_request"')));
  };
  expect(await turnsFor('{'.padEnd(131_072))).toBeGreaterThanOrEqual(2 * 18);
  // Each takes several milliseconds to parse: a turn has time for one or two.
  expect(await turnsFor(`[${'[],'.repeat(43_000)}`)).toBeGreaterThanOrEqual(10);
  expect(await turnsFor('{'.padEnd(8_191))).toBeLessThan(2 * 18);
});

describe('a body that comes too slowly', () => {
  it('is answered with 408 once its time is used up, and the connection is closed', async () => {
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
