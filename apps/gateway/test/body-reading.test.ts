import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { RawConnection } from '../src/test-support/test-client.js';
import { startTestGateway, type TestGateway } from '../src/test-support/start-test-gateway.js';

const PATH = '/v1/messages';
const BODY = JSON.stringify({ model: 'small', max_tokens: 5, messages: [{ role: 'user', content: 'Hi' }] });
const MAXIMUM = 2_097_152;

let gateway: TestGateway;
beforeAll(async () => {
  gateway = await startTestGateway({ limits: { requestsPerMinute: 1000 } });
});
afterAll(() => gateway.close());

function head(headers: Readonly<Record<string, string | number>>, key = gateway.caller.key): string {
  const lines = Object.entries({ host: 'test', 'x-api-key': key, ...headers }).map(([name, value]) => `${name}: ${value}\r\n`);
  return `POST ${PATH} HTTP/1.1\r\n${lines.join('')}\r\n`;
}

function chunked(text: string): string {
  return `${Buffer.byteLength(text).toString(16)}\r\n${text}\r\n`;
}

async function withConnection(act: (connection: RawConnection) => Promise<void>): Promise<void> {
  const connection = await RawConnection.open(gateway.url);
  try {
    await act(connection);
  } finally {
    connection.destroy();
  }
}

describe('a body that is too large', () => {
  it('is refused by its declared length before it arrives, and the connection is closed', () => withConnection(async (connection) => {
    void connection.send(head({ 'content-length': MAXIMUM + 1 }));
    const reply = await connection.until('"payload_too_large"');
    expect(reply).toMatch(/^HTTP\/1\.1 413 /);
    expect(reply.toLowerCase()).toContain('connection: close');
  }));

  it('is answered even if the client sends everything before it reads', () => withConnection(async (connection) => {
    connection.pause();
    const upload = { isSent: false };
    const sending = connection.send(`${head({ 'content-length': MAXIMUM * 8 })}${'x'.repeat(MAXIMUM * 8)}`).then(() => {
      upload.isSent = true;
    });
    while (!upload.isSent) {
      await new Promise((resolve) => {
        setImmediate(resolve);
      });
      // The gateway limits the rate at which it reads the rest.
      gateway.clock.advance(10);
    }
    await sending;
    connection.resume();
    const reply = await connection.untilClosed();
    expect(reply).toMatch(/^HTTP\/1\.1 413 /);
    expect(reply).toContain('"type":"request_too_large"');
  }));

  it('is refused during the upload if its length is not declared', () => withConnection(async (connection) => {
    void connection.send(head({ 'transfer-encoding': 'chunked' }));
    for (let sent = 0; sent <= MAXIMUM; sent += 65_536) void connection.send(chunked('x'.repeat(65_536)));
    expect(await connection.until('"payload_too_large"')).toMatch(/^HTTP\/1\.1 413 /);
  }));

  it('has more than 2 MiB; a body of exactly 2 MiB is served, whole or in chunks', async () => {
    const padded = BODY.padEnd(MAXIMUM);
    expect((await gateway.fetch(PATH, { method: 'POST', body: padded })).status).toBe(200);
    await withConnection(async (connection) => {
      void connection.send(`${head({ 'transfer-encoding': 'chunked' })}${chunked(padded)}0\r\n\r\n`);
      expect(await connection.until('"end_turn"')).toMatch(/^HTTP\/1\.1 200 /);
    });
  });
});

describe('a caller without a key', () => {
  it('is refused before the body is read', () => withConnection(async (connection) => {
    void connection.send(head({ 'content-length': 100 }, ''));
    expect(await connection.until('"missing_api_key"')).toMatch(/^HTTP\/1\.1 401 /);
  }));

  it('gets no 100 Continue, and its connection is closed', () => withConnection(async (connection) => {
    void connection.send(head({ 'content-length': 100, expect: '100-continue' }, ''));
    const reply = await connection.until('"missing_api_key"');
    expect(reply).not.toContain('100 Continue');
    expect(reply.toLowerCase()).toContain('connection: close');
  }));
});

describe('a caller with a key', () => {
  it('gets 100 Continue', () => withConnection(async (connection) => {
    void connection.send(head({ 'content-length': BODY.length, expect: '100-continue' }));
    await connection.until('100 Continue');
    void connection.send(BODY);
    const reply = await connection.until('"end_turn"');
    expect(reply.match(/100 Continue/g)).toHaveLength(1);
  }));

  it('is served even if it sends an unknown Expect header', () => withConnection(async (connection) => {
    void connection.send(head({ 'content-length': BODY.length, expect: '200-ok' }) + BODY);
    expect(await connection.until('"end_turn"')).toMatch(/^HTTP\/1\.1 200 [^]*x-request-id: req_/i);
  }));

  it('may send the body byte by byte', () => withConnection(async (connection) => {
    void connection.send(head({ 'transfer-encoding': 'chunked' }));
    for (const byte of BODY) void connection.send(chunked(byte));
    void connection.send('0\r\n\r\n');
    expect(await connection.until('"end_turn"')).toMatch(/^HTTP\/1\.1 200 /);
  }));

  it('may disconnect during the upload, which is logged without an error code or a charge', () => withConnection(async (connection) => {
    void connection.send(`${head({ 'content-length': 1000 })}{`);
    connection.destroy();
    const lineOfIt = () => gateway.parts.logged.find(({ status }) => status === 499);
    while (lineOfIt() === undefined) await new Promise((resolve) => setImmediate(resolve));
    expect(lineOfIt()).toMatchObject({ msg: 'request', clientLeft: true, code: null, charged: null });
  }));
});

describe('a body with ambiguous framing is refused:', () => {
  it.each(['xchunked', 'gzip, chunked', 'identity', 'Chunked'])('Transfer-Encoding: %s', (encoding) => withConnection(async (connection) => {
    void connection.send(`${head({ 'transfer-encoding': encoding })}${chunked(BODY)}0\r\n\r\n`);
    expect(await connection.until('"invalid_request"')).toMatch(/^HTTP\/1\.1 400 /);
  }));

  it('both Content-Length and chunks', () => withConnection(async (connection) => {
    void connection.send(`${head({ 'transfer-encoding': 'chunked', 'content-length': 5 })}${chunked(BODY)}0\r\n\r\n`);
    expect(await connection.until('"invalid_request"')).toMatch(/^HTTP\/1\.1 400 /);
  }));
});

describe('a body is refused when it is', () => {
  it.each([
    ['in an unsupported encoding', Buffer.from(BODY), { 'content-encoding': 'compress' }, 415, 'unsupported_media_type'],
    ['plain text', Buffer.from(BODY), { 'content-type': 'text/plain' }, 415, 'unsupported_media_type'],
    ['not UTF-8', Buffer.from([0x7b, 0x22, 0xff, 0x22, 0x7d]), {}, 400, 'invalid_request'],
    ['nested 100,000 levels deep', Buffer.from(`{"a":${'['.repeat(100_000)}${']'.repeat(100_000)}}`), {}, 400, 'invalid_request'],
    ['empty', Buffer.alloc(0), {}, 400, 'invalid_request'],
    ['an array', Buffer.from('[]'), {}, 400, 'invalid_request'],
  ])('%s', async (_, body, headers, status, code) => {
    const reply = await gateway.fetch(PATH, { method: 'POST', body: new Uint8Array(body), headers: { 'content-type': 'application/json', ...headers } });
    expect([reply.status, ((await reply.json()) as { error: { code: string } }).error.code]).toEqual([status, code]);
  });
});

it('a body without a content type is served', () => withConnection(async (connection) => {
  void connection.send(`${head({ 'content-length': BODY.length })}${BODY}`);
  expect(await connection.until('"end_turn"')).toMatch(/^HTTP\/1\.1 200 /);
}));

describe('unreadable HTTP:', () => {
  it.each([
    ['garbage', 'NONSENSE\r\n\r\n', 400, 'HPE_INVALID_METHOD'],
    ['headers of 20,000 characters', `GET / HTTP/1.1\r\nhost: test\r\nx: ${'a'.repeat(20_000)}\r\n\r\n`, 431, 'HPE_HEADER_OVERFLOW'],
  ])('%s is answered with an error that has a request id and is logged, and the connection is closed', (_, bytes, status, problem) => withConnection(async (connection) => {
    void connection.send(bytes);
    const reply = await connection.untilClosed();
    expect(reply).toMatch(new RegExp(`^HTTP/1\\.1 ${status} `));
    expect(reply).toContain('x-should-retry: false');
    const id = /x-request-id: (req_\w+)/.exec(reply)?.[1];
    expect(id).toBeDefined();
    expect(reply).toContain(`request-id: ${id}`);
    expect(reply).toContain(`"request_id":"${id}"`);
    expect(gateway.parts.logged).toContainEqual(expect.objectContaining({ msg: 'a request could not be read', requestId: id, status, code: 'invalid_request', problem }));
  }));
});

it('after a refusal for a missing key, the connection is kept if the rest of the body is short', () => withConnection(async (connection) => {
  void connection.send(head({ 'content-length': 4 }, ''));
  await connection.until('"missing_api_key"');
  void connection.send(`null${head({ 'content-length': BODY.length })}${BODY}`);
  expect(await connection.until('"end_turn"')).toContain('HTTP/1.1 200 ');
}));
