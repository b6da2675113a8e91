import { closeSync, mkdtempSync, openSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, expect, it } from '@jest/globals';
import { GatheredLines, type LineSink } from './gathered-lines.js';

class Written implements LineSink {
  destroyed = false;
  readonly pieces: string[] = [];
  flushes = 0;

  write(text: string): void {
    if (this.destroyed) throw new Error('the sink is closed');
    this.pieces.push(text);
  }

  flushSync(): void {
    this.flushes += 1;
  }
}

const TERMS = { characters: 10, milliseconds: 20, descriptor: 2 };

describe('GatheredLines', () => {
  it('hands lines on in one piece once there are enough of them, in their order', () => {
    const sink = new Written();
    const lines = new GatheredLines(sink, TERMS);
    for (const line of ['one\n', 'two\n', 'three\n', 'four\n']) lines.write(line);
    expect(sink.pieces).toEqual(['one\ntwo\nthree\n']);
    lines.flushSync();
    expect(sink.pieces).toEqual(['one\ntwo\nthree\n', 'four\n']);
  });

  it('lets no line wait for more lines for longer than it may', async () => {
    const sink = new Written();
    new GatheredLines(sink, TERMS).write('one\n');
    const until = performance.now() + 5000;
    while (sink.pieces.length === 0 && performance.now() < until) await new Promise((resolve) => { setImmediate(resolve); });
    expect(sink.pieces).toEqual(['one\n']);
  });

  it('leaves nothing behind when the process ends, even when its sink has ended before', () => {
    const folder = mkdtempSync(join(tmpdir(), 'tollgate-lines-'));
    const descriptor = openSync(join(folder, 'log'), 'w');
    const sink = new Written();
    const lines = new GatheredLines(sink, { ...TERMS, descriptor });
    lines.write('one\n');
    lines.flushSync();
    expect([sink.pieces, sink.flushes]).toEqual([['one\n'], 1]);
    sink.destroyed = true;
    lines.write('two\n');
    lines.flushSync();
    closeSync(descriptor);
    expect(readFileSync(join(folder, 'log'), 'utf8')).toBe('two\n');
    rmSync(folder, { recursive: true });
  });
});
