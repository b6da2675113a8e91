import { PassThrough, Writable } from 'node:stream';
import { expect, it } from '@jest/globals';
import { partWriter } from './part-writer.js';

/** A control sequence: a terminal that obeys it clears the screen. */
const CLEAR = '\u001b[2J';

it('each part of the output waits until the stream has taken the previous one, and reaches a pipe unchanged', async () => {
  const stream = new PassThrough({ highWaterMark: 1 });
  const write = partWriter(stream);
  let isTaken = false;
  const written = write(`one${CLEAR}\r\n`).then(() => write('two')).then(() => {
    isTaken = true;
  });
  await new Promise(setImmediate);
  expect(isTaken).toBe(false);
  const chunks: string[] = [];
  stream.on('data', (chunk: Buffer) => void chunks.push(chunk.toString()));
  await written;
  expect(chunks.join('')).toBe(`one${CLEAR}\r\ntwo`);
});

it('control characters are escaped in output to a terminal', async () => {
  const stream = Object.assign(new PassThrough(), { isTTY: true });
  await partWriter(stream)(`\uFEFF=${CLEAR}\r\n`);
  expect(String(stream.read())).toBe('=\\u001b[2J\n');
});

it('writing the output fails once the reader disconnects', async () => {
  const broken = new Writable({ write: (_chunk, _encoding, done) => done(new Error('write EPIPE')) });
  await expect(partWriter(broken)('lost')).rejects.toThrow('write EPIPE');
  // Waits until the stream has also emitted the error to its listeners.
  await new Promise(setImmediate);
});
