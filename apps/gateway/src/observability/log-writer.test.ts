import { execFileSync } from 'node:child_process';
import { pbkdf2 } from 'node:crypto';
import { closeSync, constants, mkdtempSync, openSync, readFileSync, readSync, rmSync, writeSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { eventually } from '../test-support/test-client.js';
import { LogWriter, type LogTerms } from './log-writer.js';

const TERMS: LogTerms = { gatheredCharacters: 10, gatheringMilliseconds: 5, waitingCharacters: 1000, retryMilliseconds: 5, lastFlushMilliseconds: 50 };
const PATIENT = { ...TERMS, gatheringMilliseconds: 60_000 };
const PIPE_PIECE_BYTES = 4096;
const deriveKey = promisify(pbkdf2);

let folder: string;
const open: number[] = [];
const writers: { readonly writer: LogWriter; readonly descriptor: number }[] = [];

beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'tollgate-log-'));
});

// A writer with unwritten lines tries again for ever: after its descriptor was closed, it would write to the next file or socket of that number.
afterEach(async () => {
  for (const { writer, descriptor } of writers.splice(0)) await writeRest(writer, descriptor);
  for (const descriptor of open.splice(0)) closeSync(descriptor);
  rmSync(folder, { recursive: true });
});

async function writeRest(writer: LogWriter, descriptor: number): Promise<void> {
  const path = join(folder, 'rest');
  redirect(descriptor, path);
  writer.write('the last line\n');
  await eventually(() => {
    void writer.flush();
    return readFileSync(path, 'utf8').endsWith('the last line\n');
  });
}

/** Makes the descriptor refer to the file at `path`. A new descriptor has the lowest free number. */
function redirect(descriptor: number, path: string): void {
  closeSync(descriptor);
  const lower: number[] = [];
  for (let next = openSync(path, 'a'); next !== descriptor; next = openSync(path, 'a')) lower.push(next);
  lower.forEach((other) => closeSync(other));
}

function opened(path: string, flags: string | number): number {
  const descriptor = openSync(path, flags);
  open.push(descriptor);
  return descriptor;
}

function writerTo(descriptor: number, terms = TERMS): LogWriter {
  const writer = new LogWriter({ descriptor, render: (line) => line, lossNotice: (lost) => `${lost} lost\n`, terms });
  writers.push({ writer, descriptor });
  return writer;
}

function fill(descriptor: number, bytes: Buffer): void {
  try {
    for (;;) writeSync(descriptor, bytes);
  } catch {
    // The pipe is full.
  }
}

/** A full pipe; `read` empties it. */
function fullPipe(): { readonly writeEnd: number; readonly read: () => string } {
  const path = join(folder, 'pipe');
  execFileSync('mkfifo', [path]);
  const readEnd = opened(path, constants.O_RDWR | constants.O_NONBLOCK);
  const writeEnd = opened(path, constants.O_WRONLY | constants.O_NONBLOCK);
  for (const bytes of [PIPE_PIECE_BYTES, 1]) fill(writeEnd, Buffer.alloc(bytes, '.'));
  const buffer = Buffer.alloc(64 * PIPE_PIECE_BYTES);
  const read = (): string => {
    try {
      return buffer.toString('utf8', 0, readSync(readEnd, buffer)).replaceAll('.', '');
    } catch {
      return '';
    }
  };
  return { writeEnd, read };
}

describe('lines for a file', () => {
  const file = (): string => join(folder, 'log');
  const written = (): string => readFileSync(file(), 'utf8');

  it('are written together once there are enough, in order', async () => {
    const writer = writerTo(opened(file(), 'a'), PATIENT);
    for (const line of ['one\n', 'two\n']) writer.write(line);
    expect(written()).toBe('');
    for (const line of ['three\n', 'four\n']) writer.write(line);
    await eventually(() => written() === 'one\ntwo\nthree\n');
    await writer.flush();
    expect([written(), writer.lostLines]).toEqual(['one\ntwo\nthree\nfour\n', 0]);
  });

  it('are delayed no longer than configured', async () => {
    const writer = writerTo(opened(file(), 'a'));
    writer.write('one\n');
    await eventually(() => written() === 'one\n');
    expect(writer.lostLines).toBe(0);
  });

  it('are flushed at exit', () => {
    const writer = writerTo(opened(file(), 'a'), PATIENT);
    writer.write('one\n');
    writer.flushSync();
    writer.write('two\n');
    writer.flushSync();
    expect(written()).toBe('one\ntwo\n');
  });

  it('stay in order when the process exits during a write', async () => {
    const writer = writerTo(opened(file(), 'a'), PATIENT);
    // Occupies all threads of the pool, so that the write has begun but is not done.
    const busy = Array.from({ length: 8 }, () => deriveKey('password', 'salt', 50_000, 64, 'sha512'));
    for (const line of ['more than ten characters\n', 'one more\n']) writer.write(line);
    writer.flushSync();
    await Promise.all(busy);
    await eventually(() => written().length === 'more than ten characters\none more\n'.length);
    expect(written()).toBe('more than ten characters\none more\n');
  });
});

describe('lines that the system refuses', () => {
  it('are counted as lost, and cause no exception', async () => {
    const writer = writerTo(opened('/dev/full', 'w'));
    for (const line of ['a line of some length\n', 'another\n']) writer.write(line);
    await eventually(() => writer.lostLines === 2);
    await writer.flush();
    writer.write('a third\n');
    expect(() => writer.flushSync()).not.toThrow();
  });

  it('are reported once, as soon as the system accepts lines again', async () => {
    const path = join(folder, 'log');
    const descriptor = opened('/dev/full', 'w');
    const writer = writerTo(descriptor);
    writer.write('one\n');
    writer.write('two\n');
    await eventually(() => writer.lostLines === 2);
    redirect(descriptor, path);
    await eventually(() => readFileSync(path, 'utf8') === '2 lost\n');
    writer.write('three\n');
    await writer.flush();
    expect(readFileSync(path, 'utf8')).toBe('2 lost\nthree\n');
  });
});

describe('lines for a pipe without a reader', () => {
  it('are queued, and arrive completely once the pipe is read', async () => {
    const { writeEnd, read } = fullPipe();
    const writer = writerTo(writeEnd);
    for (const line of ['one\n', 'two\n', 'three\n', 'four\n']) writer.write(line);
    let text = '';
    await eventually(() => {
      text += read();
      return text === 'one\ntwo\nthree\nfour\n';
    });
    expect(writer.lostLines).toBe(0);
  });

  it('are dropped and counted when too many are queued, and reported once the pipe is read', async () => {
    const { writeEnd, read } = fullPipe();
    const writer = writerTo(writeEnd);
    const line = `${'x'.repeat(99)}\n`;
    writer.write(line);
    await eventually(() => { writer.write(line); return writer.lostLines > 0; });
    const lost = writer.lostLines;
    let text = '';
    await eventually(() => {
      text += read();
      return text.includes('lost');
    });
    expect(text.split('\n').filter((found) => !/^x{99}$/.test(found))).toEqual([`${lost} lost`, '']);
  });

  it('do not delay exit longer than configured', async () => {
    const { writeEnd } = fullPipe();
    const writer = writerTo(writeEnd, PATIENT);
    writer.write('more than ten characters\n');
    const begun = performance.now();
    await writer.flush();
    writer.write('one more\n');
    writer.flushSync();
    const taken = performance.now() - begun;
    // A timer counts whole milliseconds, and may fire almost one millisecond early by a finer clock.
    expect(taken).toBeGreaterThan(TERMS.lastFlushMilliseconds - 1);
    expect(taken).toBeLessThan(5000);
  });
});
