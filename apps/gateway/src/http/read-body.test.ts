import { once } from 'node:events';
import { createServer, IncomingMessage } from 'node:http';
import { type AddressInfo, Socket } from 'node:net';
import { describe, expect, it } from '@jest/globals';
import { ManualClock } from '@tollgate/adapters-memory';
import { BodyBudget } from './body-budget.js';
import type { BodyUpload } from './body-upload.js';
import { readBody } from './read-body.js';

/** Reads a body with sufficient room. */
function readWhole(req: IncomingMessage): Promise<Buffer> {
  const clock = new ManualClock();
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

/** A chunk with an ArrayBuffer of its own. */
function chunkOf(text: string): Buffer {
  const chunk = Buffer.alloc(Buffer.byteLength(text));
  chunk.write(text);
  return chunk;
}

describe('a body that is read', () => {
  it('contains all chunks, and releases their memory', async () => {
    const chunks = [chunkOf('{"a"'), chunkOf(':"漢'), chunkOf('字"}')];
    expect((await readOf(chunks)).toString()).toBe('{"a":"漢字"}');
    expect(chunks.map(({ byteLength }) => byteLength)).toEqual([0, 0, 0]);
  });

  it('releases the memory of chunks from a real connection too, because each has a buffer of its own', async () => {
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

  it('is the chunk itself if it arrives as a single chunk', async () => {
    const chunk = chunkOf('{}');
    expect(await readOf([chunk])).toBe(chunk);
    expect(chunk.toString()).toBe('{}');
  });

  it('does not release chunks that share a buffer', async () => {
    const shared = Buffer.from('[{"a":1},{"b":2}]');
    const body = await readOf([shared.subarray(0, 9), shared.subarray(9)]);
    expect([body.toString(), shared.toString()]).toEqual(['[{"a":1},{"b":2}]', '[{"a":1},{"b":2}]']);
  });

  it('is an empty buffer if no chunk arrives', async () => {
    expect((await readOf([])).byteLength).toBe(0);
  });
});
