import { once } from 'node:events';
import { createServer, IncomingMessage, type ServerResponse } from 'node:http';
import { type AddressInfo, connect, Socket } from 'node:net';
import { describe, expect, it } from '@jest/globals';
import { ManualClock } from '@tollgate/adapters-memory';
import { BodyBudget } from './body-budget.js';
import type { BodyUpload } from './body-upload.js';
import { readBody } from './read-body.js';

/** Reads a body with sufficient room. */
function readWhole(req: IncomingMessage, clock = new ManualClock()): Promise<Buffer> {
  const budget = new BodyBudget(8_388_608, { clock, funds: { known: () => true, ask: () => undefined }, report: { refusedBody: () => undefined, cutUpload: () => undefined } });
  const upload = budget.begin({ holder: { address: '192.0.2.1' }, declaredBytes: null, signal: new AbortController().signal }) as BodyUpload;
  return readBody(req, { clock, upload, onBytes: () => undefined });
}

function readOf(chunks: readonly Buffer[]): Promise<Buffer> {
  const req = new IncomingMessage(new Socket());
  for (const chunk of chunks) req.push(chunk);
  req.push(null);
  return readWhole(req);
}

/** With its own ArrayBuffer. */
function chunkOf(text: string): Buffer {
  const chunk = Buffer.alloc(Buffer.byteLength(text));
  chunk.write(text);
  return chunk;
}

/** Timers during and after the reading of a body that is sent in two parts, the first with the headers. */
async function timersOf(first: string, rest: string): Promise<{ readonly whileReading: number; readonly afterwards: number }> {
  const clock = new ManualClock();
  let whileReading = -1;
  const serve = async (req: IncomingMessage, res: ServerResponse): Promise<void> => {
    // A gateway reads the body after it has looked up the key.
    await Promise.resolve();
    const body = readWhole(req, clock);
    whileReading = clock.pendingTasks;
    socket.write(rest);
    res.end(await body);
  };
  const server = createServer((req, res) => void serve(req, res)).listen(0, '127.0.0.1');
  await once(server, 'listening');
  const socket = connect((server.address() as AddressInfo).port, '127.0.0.1');
  socket.write(`POST / HTTP/1.1\r\nhost: x\r\ncontent-length: ${first.length + rest.length}\r\n\r\n${first}`);
  await once(socket, 'data');
  socket.destroy();
  server.close();
  return { whileReading, afterwards: clock.pendingTasks };
}

describe('a body that is read', () => {
  it('contains all chunks, and their memory is returned', async () => {
    const chunks = [chunkOf('{"a"'), chunkOf(':"漢'), chunkOf('字"}')];
    expect((await readOf(chunks)).toString()).toBe('{"a":"漢字"}');
    expect(chunks.map(({ byteLength }) => byteLength)).toEqual([0, 0, 0]);
  });

  it('arrives over a connection in chunks with their own memory', async () => {
    const chunks: Buffer[] = [];
    const server = createServer((req, res) => {
      req.on('data', (chunk: Buffer) => chunks.push(chunk));
      readWhole(req).then((body) => res.end(String(body.byteLength)), () => res.destroy());
    }).listen(0, '127.0.0.1');
    await once(server, 'listening');
    const { port } = server.address() as AddressInfo;
    const reply = await fetch(`http://127.0.0.1:${port}`, { method: 'POST', headers: { 'content-type': 'application/json' }, body: 'x'.repeat(300_000) });
    expect(await reply.text()).toBe('300000');
    expect(chunks.length).toBeGreaterThan(1);
    expect(chunks.filter(({ byteLength }) => byteLength > 0)).toEqual([]);
    server.close();
    server.closeAllConnections();
  });

  it.each([
    ['nothing of it', '', '{"a":1}'],
    ['a part of it', '{"a"', ':1}'],
  ])('is timed if %s has arrived when the reading begins', async (_, first, rest) => {
    expect(await timersOf(first, rest)).toEqual({ whileReading: 1, afterwards: 0 });
  });

  it('is not timed if all of it has arrived when the reading begins', async () => {
    expect(await timersOf('{"a":1}', '')).toEqual({ whileReading: 0, afterwards: 0 });
  });

  it('is the chunk itself when there is one', async () => {
    const chunk = chunkOf('{}');
    expect(await readOf([chunk])).toBe(chunk);
    expect(chunk.toString()).toBe('{}');
  });

  it('leaves shared memory of its chunks alone', async () => {
    const shared = Buffer.from('[{"a":1},{"b":2}]');
    const body = await readOf([shared.subarray(0, 9), shared.subarray(9)]);
    expect([body.toString(), shared.toString()]).toEqual(['[{"a":1},{"b":2}]', '[{"a":1},{"b":2}]']);
  });

  it('may be empty', async () => {
    expect((await readOf([])).byteLength).toBe(0);
  });
});
