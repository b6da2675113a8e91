import { describe, expect, it } from '@jest/globals';
import { BodyChunks } from './body-chunks.js';

/** Text in which every position is recognisable. */
function textOf(length: number): string {
  return Array.from({ length }, (_, place) => String.fromCharCode(33 + (place * 31 + Math.floor(place / 90)) % 90)).join('');
}

/** Cuts the text into chunks of these lengths, repeated as needed. */
function chunksOf(text: string, lengths: readonly number[]): BodyChunks {
  const chunks = new BodyChunks();
  for (let at = 0, turn = 0; at < text.length; turn += 1) {
    const length = lengths[turn % lengths.length] ?? 1;
    chunks.add(Buffer.from(text.slice(at, at + length)));
    at += length;
  }
  return chunks;
}

describe('the chunks of a body', () => {
  it.each<[readonly number[]]>([[[300_000]], [[65_536]], [[1]], [[7, 4095]], [[1, 5000, 3]], [[4096, 1]], [[4095]]])('are joined in order if their lengths are %p bytes in turn', (lengths) => {
    const text = textOf(300_000);
    const chunks = chunksOf(text, lengths);
    expect(chunks.size).toBe(text.length);
    expect(chunks.joined().toString('latin1') === text).toBe(true);
  });

  it('are merged into few buffers, however short they are', () => {
    const text = textOf(1_000_000);
    expect(chunksOf(text, [1]).buffers).toBeLessThanOrEqual(16 + Math.ceil(text.length / 65_536));
    expect(chunksOf(text, [1, 4096]).buffers).toBeLessThanOrEqual(16 + 2 * Math.ceil(text.length / 4096));
  });

  it('are joined without a copy if there is only one, and to an empty buffer if there is none', () => {
    const [chunks, only] = [new BodyChunks(), Buffer.from('{}')];
    expect(chunks.joined()).toHaveLength(0);
    chunks.add(only);
    expect(chunks.joined()).toBe(only);
  });

  it('are detached after joining unless their memory is shared', () => {
    const [chunks, own, shared] = [new BodyChunks(), Buffer.alloc(10_000, 'a'), Buffer.alloc(10_000, 'b').subarray(5_000)];
    chunks.add(own);
    chunks.add(shared);
    expect(chunks.joined().toString()).toBe('a'.repeat(10_000) + 'b'.repeat(5_000));
    expect([own.buffer.byteLength, shared.toString()]).toEqual([0, 'b'.repeat(5_000)]);
  });
});
