import { IncomingMessage, ServerResponse } from 'node:http';
import { Socket } from 'node:net';
import { describe, expect, it } from '@jest/globals';
import { readBody } from './read-json-body.js';

/** What is read of a body that arrives in these chunks. */
function readOf(chunks: readonly Buffer[]): Promise<Buffer> {
  const req = new IncomingMessage(new Socket());
  for (const chunk of chunks) req.push(chunk);
  req.push(null);
  return readBody({ req, res: new ServerResponse(req) });
}

/** With memory of its own, as the parser of a connection makes them. */
function chunkOf(text: string): Buffer {
  const chunk = Buffer.alloc(Buffer.byteLength(text));
  chunk.write(text);
  return chunk;
}

describe('a body that is read', () => {
  it('is all of its chunks, whose memory is given back', async () => {
    const chunks = [chunkOf('{"a"'), chunkOf(':"漢'), chunkOf('字"}')];
    expect((await readOf(chunks)).toString()).toBe('{"a":"漢字"}');
    expect(chunks.map(({ byteLength }) => byteLength)).toEqual([0, 0, 0]);
  });

  it('is the chunk itself when there is one', async () => {
    const chunk = chunkOf('{}');
    expect(await readOf([chunk])).toBe(chunk);
    expect(chunk.toString()).toBe('{}');
  });

  it('leaves alone what its chunks share with others', async () => {
    const shared = Buffer.from('[{"a":1},{"b":2}]');
    const body = await readOf([shared.subarray(0, 9), shared.subarray(9)]);
    expect([body.toString(), shared.toString()]).toEqual(['[{"a":1},{"b":2}]', '[{"a":1},{"b":2}]']);
  });

  it('may be empty', async () => {
    expect((await readOf([])).byteLength).toBe(0);
  });
});
