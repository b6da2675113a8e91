import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { connect, type Socket } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { afterEach, describe, expect, it } from '@jest/globals';
import { Gate } from '@tollgate/testkit';
import { SERVER_LIMITS } from '../src/http/server/create-server.js';
import { eventually, RawConnection } from '../src/test-support/test-client.js';
import { haltedReply } from '../src/test-support/test-catalogue.js';
import { startTestGateway, type TestGateway, type TestGatewayOptions } from '../src/test-support/start-test-gateway.js';

let gateway: TestGateway;
const opened: Socket[] = [];

afterEach(async () => {
  for (const socket of opened.splice(0)) socket.destroy();
  await gateway.close();
});

async function start(options: TestGatewayOptions = {}): Promise<void> {
  gateway = await startTestGateway(options);
}

async function openConnections(): Promise<number> {
  const text = await (await fetch(gateway.gateway.metricsUrl ?? '')).text();
  return Number(/^tollgate_connections_open (\d+)$/m.exec(text)?.[1]);
}

/** Connects a client that sends the bytes and never closes its side. */
async function halfOpenClient(bytes: string, localAddress = '127.0.0.1'): Promise<{ readonly received: () => string; readonly isReset: () => boolean }> {
  const { hostname, port } = new URL(gateway.url);
  const socket = connect({ port: Number(port), host: hostname, localAddress, allowHalfOpen: true });
  opened.push(socket);
  let received = '';
  let reset = false;
  socket.setEncoding('latin1').on('data', (text: string) => {
    received += text;
  });
  socket.on('error', () => {
    reset = true;
  });
  await new Promise((resolve) => {
    socket.once('connect', resolve).once('error', resolve);
  });
  socket.write(bytes);
  return { received: () => received, isReset: () => reset };
}

const MEASURED = { metrics: { host: '127.0.0.1', port: 0 } };

describe('a client that never closes its side of the connection', () => {
  const server = { ...SERVER_LIMITS, headersTimeoutMilliseconds: 50, requestTimeoutMilliseconds: 100 };
  const head = 'POST /v1/messages HTTP/1.1\r\nhost: test\r\n';

  it.each([
    ['unreadable request', 'NONSENSE\r\n\r\n', 400],
    ['request with two lengths', `${head}content-length: 1\r\ncontent-length: 2\r\n\r\n`, 400],
    ['request with headers that are too large', `${head}x: ${'a'.repeat(20_000)}\r\n\r\n`, 431],
    ['connection on which nothing is sent', '', 408],
    ['request whose headers do not end', head, 408],
    ['request whose body does not end', `${head}x-api-key: KEY\r\ncontent-length: 10\r\n\r\n{`, 408],
  ])('has the connection of its %s destroyed within a second after the reply', async (_, bytes, status) => {
    await start({ settings: { ...MEASURED, server } });
    const client = await halfOpenClient(bytes.replace('KEY', gateway.caller.key));
    await eventually(() => client.received().includes('"request_id"'));
    const answeredAt = performance.now();
    expect(client.received()).toMatch(new RegExp(`^HTTP/1\\.1 ${status} [^]*x-content-type-options: nosniff[^]*connection: close`));
    while (await openConnections() > 0) expect(performance.now() - answeredAt).toBeLessThan(1000);
    expect(client.isReset()).toBe(false);
  });

  it('gets the whole reply even if it continues sending', async () => {
    await start({ settings: MEASURED });
    const client = await halfOpenClient(`${head}x: ${'a'.repeat(20_000)}`);
    await eventually(() => client.received().includes('"request_id"'));
    for (const socket of opened) socket.write('a'.repeat(20_000));
    while (await openConnections() > 0);
    expect(client.received()).toMatch(/^HTTP\/1\.1 431 [^]*\}$/);
  });
});

describe('data that a client sends before a reply has ended,', () => {
  const BODY = JSON.stringify({ model: 'small', max_tokens: 50, messages: [{ role: 'user', content: 'Hi' }] });
  const STREAMED = JSON.stringify({ ...JSON.parse(BODY) as object, stream: true });
  const OTHER = 'GET /healthz HTTP/1.0\r\n\r\n';

  function post(body: string, version: string, ...headers: readonly string[]): string {
    const lines = ['host: test', `x-api-key: ${gateway.caller.key}`, `content-length: ${body.length}`, ...headers];
    return `POST /v1/messages HTTP/${version}\r\n${lines.map((line) => `${line}\r\n`).join('')}\r\n${body}`;
  }

  it.each([
    ['a request after one of HTTP/1.0', '1.0', [], OTHER],
    ['a request after one that closes the connection', '1.1', ['connection: close'], OTHER],
    ['unreadable data', '1.1', [], 'NONSENSE\r\n\r\n'],
    ['unreadable data in two pieces', '1.1', [], 'NONSENSE\r\n\r\nNONSENSE\r\n\r\n'],
  ])('such as %s, does not change the reply, after which the connection is closed', async (_, version, headers, behind) => {
    await start();
    const gate = new Gate();
    gateway.provider.script('small', haltedReply(gate));
    const connection = await RawConnection.open(gateway.url);
    await connection.send(post(BODY, version, ...headers) + behind.slice(0, 12));
    await eventually(() => gateway.provider.calls.length === 1);
    await connection.send(behind.slice(12));
    // Another round trip, so that the gateway has read the data.
    await gateway.fetch('/healthz');
    gate.open();
    const reply = await connection.untilClosed();
    expect(reply).toMatch(/^HTTP\/1\.1 200 [^]*"stop_reason":"end_turn"[^]*\}$/);
    expect(reply.match(/HTTP\/1\.1/g)).toHaveLength(1);
  });

  it('does not change a stream that has begun, after which the connection is closed', async () => {
    await start();
    const gate = new Gate();
    gateway.provider.script('small', haltedReply(gate));
    const connection = await RawConnection.open(gateway.url);
    void connection.send(post(STREAMED, '1.1'));
    await connection.until('Hello');
    await connection.send('NONSENSE\r\n\r\n');
    // Another round trip, so that the gateway has read the data.
    await gateway.fetch('/healthz');
    gate.open();
    const reply = await connection.untilClosed();
    expect(reply).toMatch(/event: message_stop[^]*0\r\n\r\n$/);
    expect(reply).not.toContain('invalid_request');
  });

  it('makes the gateway close the connection within a second after the reply, even if the client never closes its side', async () => {
    await start({ settings: MEASURED });
    const client = await halfOpenClient(`GET /healthz HTTP/1.1\r\nhost: test\r\n\r\n${post(BODY, '1.1')}NONSENSE\r\n\r\n`);
    await eventually(() => client.received().includes('"end_turn"'));
    const answeredAt = performance.now();
    while (await openConnections() > 0) expect(performance.now() - answeredAt).toBeLessThan(1000);
    expect(client.received().match(/HTTP\/1\.1 \d+/g)).toEqual(['HTTP/1.1 200', 'HTTP/1.1 200']);
  });
});

describe('a bound on connections', () => {
  const TWO = { maximum: 10_000, maximumPerAddress: 2, exemptNetworks: ['127.0.0.1'] };

  async function isServed(localAddress: string): Promise<boolean> {
    const client = await halfOpenClient('GET /healthz HTTP/1.1\r\nhost: test\r\n\r\n', localAddress);
    const socket = opened.at(-1);
    await eventually(() => client.received() !== '' || socket?.readableEnded === true || socket?.destroyed === true);
    return client.received().startsWith('HTTP/1.1 200 ');
  }

  /** Opens a connection whose request runs until the end of the test. */
  async function holdBusy(localAddress: string): Promise<void> {
    const client = await halfOpenClient(`POST /v1/messages HTTP/1.1\r\nhost: test\r\nx-api-key: ${gateway.caller.key}\r\ncontent-length: 1000\r\nexpect: 100-continue\r\n\r\n`, localAddress);
    await eventually(() => client.received().includes('100 Continue'));
  }

  it('per address closes an idle connection of the address for a new connection, or the new one if all are busy', async () => {
    await start({ settings: { ...MEASURED, connections: TWO } });
    for (let times = 0; times < 5; times += 1) expect(await isServed('127.0.0.2')).toBe(true);
    expect(await openConnections()).toBeLessThanOrEqual(2);
    await holdBusy('127.0.0.3');
    await holdBusy('127.0.0.3');
    expect([await isServed('127.0.0.3'), await isServed('127.0.0.2')]).toEqual([false, true]);
    const metrics = await (await fetch(gateway.gateway.metricsUrl ?? '')).text();
    expect(metrics).toMatch(/tollgate_connections_closed_idle_total\{bound="address"\} [1-9]/);
  });

  it('in total keeps room for new clients by closing idle connections of the largest network', async () => {
    await start({ settings: { ...MEASURED, connections: { maximum: 100, maximumPerAddress: 100, exemptNetworks: ['127.0.0.1'] } } });
    const customer = await halfOpenClient('GET /healthz HTTP/1.1\r\nhost: test\r\n\r\n', '127.0.0.200');
    const silent = Array.from({ length: 100 }, (_, number) => halfOpenClient(number % 2 === 0 ? '' : 'GET / HT', `127.0.0.${10 + (number % 20)}`));
    await Promise.all(silent);
    const served: boolean[] = [];
    for (let number = 0; number < 50; number += 1) served.push(await isServed(`127.0.1.${number + 1}`));
    expect(served).toEqual(Array(50).fill(true));
    const kept = opened[0];
    kept?.write('GET /healthz HTTP/1.1\r\nhost: test\r\n\r\n');
    await eventually(() => customer.received().split('HTTP/1.1 200 ').length === 3);
    expect(await openConnections()).toBeLessThanOrEqual(100);
  });

  it('at 90 % closes connections that have been idle for a second, and when reached any idle connection', async () => {
    await start({ settings: { ...MEASURED, connections: { ...TWO, maximumPerAddress: 10 } } });
    const closed = async (): Promise<number> => Number(/closed_idle_total\{bound="address"\} (\d+)/.exec(await (await fetch(gateway.gateway.metricsUrl ?? '')).text())?.[1]);
    const counts: number[] = [];
    const connectAndCount = async (times: number): Promise<void> => {
      for (let time = 0; time < times; time += 1) await isServed('127.0.0.2');
      counts.push(await closed());
    };
    await connectAndCount(10);
    await connectAndCount(1);
    gateway.clock.advance(1000);
    opened.at(-1)?.destroy();
    while (await openConnections() > 9);
    await connectAndCount(1);
    expect(counts).toEqual([0, 1, 2]);
  });

  /** Fills all permitted connections; each sends the bytes and reads nothing. */
  async function holdAll(bytes: string): Promise<void> {
    const requests = bytes.split(' HTTP/1.1').length - 1;
    const { hostname, port } = new URL(gateway.url);
    for (let number = 0; number < 21; number += 1) {
      const socket = connect({ port: Number(port), host: hostname, localAddress: '127.0.0.10' }).on('error', () => undefined);
      opened.push(socket);
      await new Promise((resolve) => {
        socket.write(bytes, resolve);
      });
      // The gateway may answer the first connection at once, and then closes it as idle.
      while (gateway.gateway.runningRequests / requests + await closedIdle() < number);
    }
  }

  async function closedIdle(): Promise<number> {
    const text = await (await fetch(gateway.gateway.metricsUrl ?? '')).text();
    return Number(/^tollgate_connections_closed_idle_total\{bound="total"\} (\d+)$/m.exec(text)?.[1]);
  }

  it.each([
    ['read a page slowly', 'GET /dashboard/assets/large.txt HTTP/1.1\r\nhost: OWN\r\n\r\n'],
    ['read slowly a page that another reply waits behind', 'GET /dashboard/assets/large.txt HTTP/1.1\r\nhost: OWN\r\n\r\nGET /healthz HTTP/1.1\r\nhost: test\r\n\r\n'],
    ['wait for their refusals', 'GET /v1/models HTTP/1.1\r\nhost: test\r\n\r\n'],
    ['continue to send what is refused', 'POST /v1/messages HTTP/1.1\r\nhost: test\r\ntransfer-encoding: chunked\r\n\r\n1\r\n '],
  ])('in total keeps room for new clients while others fill the bound and %s', async (_, request) => {
    const pages = mkdtempSync(join(tmpdir(), 'tollgate-pages-'));
    mkdirSync(join(pages, 'assets'));
    for (const [name, length] of [['index.html', 1], ['assets/large.txt', 16 * 1_048_576]] as const) writeFileSync(join(pages, name), 'x'.repeat(length));
    await start({
      settings: { ...MEASURED, unbilledPerMinuteAddress: 1, refusalDelayMilliseconds: 250, connections: { maximum: 20, maximumPerAddress: 100, exemptNetworks: ['127.0.0.1'] } },
      services: { dashboardPages: pathToFileURL(pages) },
    });
    const bytes = request.replace('OWN', new URL(gateway.gateway.publicUrl).host);
    await holdAll(bytes);
    const served: boolean[] = [];
    for (let number = 0; number < 5; number += 1) served.push(await isServed(`127.0.1.${number + 1}`));
    // The last check is for a network that already runs many requests.
    for (let times = 0; times < 8; times += 1) await holdBusy('127.0.2.1');
    served.push(await isServed('127.0.2.1'));
    rmSync(pages, { recursive: true });
    expect(served).toEqual(Array(6).fill(true));
  });

  it('shortens keep-alive from 90 % on, and announces the shorter time', async () => {
    await start({ settings: { ...MEASURED, connections: { ...TWO, maximumPerAddress: 10 } } });
    const keepAliveOf = async (localAddress: string): Promise<string | undefined> => {
      const client = await halfOpenClient('GET /healthz HTTP/1.1\r\nhost: test\r\n\r\n', localAddress);
      await eventually(() => client.received() !== '');
      return /^keep-alive: (.*)$/im.exec(client.received())?.[1];
    };
    expect(await keepAliveOf('127.0.0.2')).toBe('timeout=65');
    for (let busy = 1; busy < 8; busy += 1) await holdBusy('127.0.0.2');
    expect(await keepAliveOf('127.0.0.2')).toBe('timeout=5');
    expect(await keepAliveOf('127.0.0.3')).toBe('timeout=65');
  });

  describe('in total keeps a tenth free', () => {
    const TWENTY = { maximum: 20, maximumPerAddress: 20, exemptNetworks: ['127.0.0.1'] };
    const upload = (forwarded: string): string => `POST /v1/messages HTTP/1.1\r\nhost: test\r\nx-api-key: ${gateway.caller.key}\r\n${forwarded}content-length: 1000\r\n\r\n`;

    it('for networks with few requests when all other connections are busy', async () => {
      await start({ settings: { connections: TWENTY } });
      const busy = Array.from({ length: 20 }, (_, number) => halfOpenClient(upload(''), `127.0.0.${number % 2 === 0 ? 2 : 3}`));
      await Promise.all(busy);
      await eventually(() => gateway.gateway.runningRequests === 18);
      expect([await isServed('127.0.0.2'), await isServed('127.0.0.4')]).toEqual([false, true]);
      const refused = await halfOpenClient(upload(''), '127.0.0.3');
      await eventually(() => refused.received().includes('server_busy'));
      expect(refused.received()).toMatch(/^HTTP\/1\.1 503 [^]*retry-after: 1\r\n/);
    });

    it('for networks with few requests that connect through a trusted proxy', async () => {
      await start({ settings: { connections: TWENTY, trustedProxies: ['127.0.0.1'] } });
      const ask = (address: string): Promise<Response> => fetch(`${gateway.url}/healthz`, { headers: { 'x-forwarded-for': address, 'connection': 'close' } });
      const busy = Array.from({ length: 30 }, (_, number) => halfOpenClient(upload(`x-forwarded-for: 2001:db8:1:${number}::1\r\n`)));
      await Promise.all(busy);
      await eventually(() => gateway.gateway.runningRequests === 18);
      const statuses: number[] = [];
      for (const address of ['2001:db8:1:99::1', '2001:db8:2::1', '192.0.2.1']) statuses.push((await ask(address)).status);
      expect(statuses).toEqual([503, 200, 200]);
    });
  });

  it('per address does not apply to a peer that represents many clients', async () => {
    await start({ settings: { connections: TWO } });
    expect(await Promise.all(Array.from({ length: 5 }, () => isServed('127.0.0.1')))).toEqual(Array(5).fill(true));
  });

  it('in total applies to all addresses together', async () => {
    await start({ settings: { connections: { ...TWO, maximum: 3 } } });
    for (const address of ['127.0.0.1', '127.0.0.2', '127.0.0.3']) await holdBusy(address);
    expect(await isServed('127.0.0.1')).toBe(false);
  });

  it('that is reached is logged at most once a minute, with the number of refused connections, and counted in metrics', async () => {
    await start({ settings: { ...MEASURED, connections: TWO } });
    const refusedAtOnce = async (count: number): Promise<void> => {
      for (let sent = 0; sent < count; sent += 1) expect(await isServed('127.0.0.2')).toBe(false);
    };
    const lines = () => gateway.parts.logged.filter(({ msg }) => String(msg).includes('MAX_CONNECTIONS'));
    const holdBoth = async (): Promise<void> => {
      for (let times = 0; times < 2; times += 1) await holdBusy('127.0.0.2');
    };
    await holdBoth();
    await refusedAtOnce(3);
    gateway.clock.advance(59_999);
    // By then, the earlier connections are closed, because they were too slow.
    await eventually(() => gateway.gateway.runningRequests === 0);
    await holdBoth();
    await refusedAtOnce(1);
    expect(lines()).toMatchObject([{ level: 40, refused: 1, peer: '127.0.0.2', msg: expect.stringContaining('MAX_CONNECTIONS_PER_ADDRESS is reached') }]);
    gateway.clock.advance(1);
    await refusedAtOnce(1);
    expect(lines()).toMatchObject([{ refused: 1 }, { refused: 4 }]);
    const metrics = await (await fetch(gateway.gateway.metricsUrl ?? '')).text();
    expect(metrics).toContain('tollgate_connections_refused_total{bound="address"} 5\n');
    expect(metrics).toContain('tollgate_connections_refused_total{bound="total"} 0\n');
  });
});
