import { execFileSync } from 'node:child_process';
import { existsSync, mkdtempSync, readdirSync, readFileSync, rmSync, statSync, symlinkSync, truncateSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { type Place, SEGMENT_BYTES, TextSegments } from './text-segments.js';

/** Adds to a file that may have 4 KiB, and prints the places or the errors. */
const ON_A_FULL_DISK = `
  const { TextSegments } = await import('../../dist/responses/text-segments.js');
  const segments = new TextSegments(process.argv[1]);
  const added = (...texts) => {
    try {
      return segments.add(texts.map((text) => Buffer.from(text)));
    } catch ({ name, cause }) {
      return [name, cause.message];
    }
  };
  const places = [added('x'.repeat(4000)), added('header', 'y'.repeat(200)), added('z')];
  process.stdout.write(JSON.stringify(places));
`;

const bytesOf = (text: string): Buffer => Buffer.from(text);

let parent: string;
let folder: string;
let segments: TextSegments;

beforeEach(() => {
  parent = mkdtempSync(join(tmpdir(), 'tollgate-texts-'));
  folder = join(parent, 'texts');
  segments = new TextSegments(folder);
});
afterEach(() => {
  rmSync(parent, { recursive: true, force: true });
});

function added(text: string): Place {
  const place = segments.add([bytesOf(text)]);
  segments.settle(place);
  return place;
}

async function textsAt(...places: readonly Place[]): Promise<readonly (string | undefined)[]> {
  return (await segments.read(places)).map((bytes) => bytes?.toString());
}

/** Ends the current file, which then has this many places. */
function aCompleteFile(...texts: readonly string[]): readonly Place[] {
  const places = texts.map(added);
  segments.completeCurrent();
  return places;
}

describe('files of texts', () => {
  it('are made when something is added, for their owner alone', () => {
    expect([existsSync(folder), segments.current, segments.complete.size]).toEqual([false, null, 0]);
    added('Hello');
    expect([statSync(folder).mode & 0o777, statSync(join(folder, '1.texts')).mode & 0o777]).toEqual([0o700, 0o600]);
    expect([segments.current, segments.complete.size]).toEqual([1, 0]);
  });

  it('give back what was added, in any order and from several files', async () => {
    const [hello, umlauts] = aCompleteFile('Hello', 'Grüße') as [Place, Place];
    const other = added('Other');
    expect([hello, umlauts, other]).toEqual([{ segment: 1, position: 0, length: 5 }, { segment: 1, position: 5, length: 7 }, { segment: 2, position: 0, length: 5 }]);
    expect(await textsAt(other, umlauts, hello)).toEqual(['Other', 'Grüße', 'Hello']);
  });

  it('take all of what is added or nothing', async () => {
    const run = ['-c', 'ulimit -f 8 && exec "$0" "$@"', process.execPath, '--input-type=module', '-e', ON_A_FULL_DISK, folder];
    const printed = execFileSync('sh', run, { cwd: import.meta.dirname, env: {}, encoding: 'utf8' });
    expect(JSON.parse(printed)).toEqual([
      { segment: 1, position: 0, length: 4000 }, ['StoreUnavailable', 'The disk took only a part of a text; it may be full.'], { segment: 1, position: 4000, length: 1 },
    ]);
    expect([await textsAt({ segment: 1, position: 4000, length: 1 }), statSync(join(folder, '1.texts')).size]).toEqual([['z'], 4001]);
  });

  it('have nothing where the file is gone or ends before', async () => {
    const places = [...aCompleteFile('Hello'), ...aCompleteFile('Longer')];
    rmSync(join(folder, '1.texts'));
    truncateSync(join(folder, '2.texts'), 3);
    expect(await textsAt(...places)).toEqual([undefined, undefined]);
  });

  it('lose what is erased, and nothing beside it', async () => {
    const [before, between, behind] = ['Before', 'x'.repeat(200_000), 'Behind'].map(added) as [Place, Place, Place];
    await segments.erase([between]);
    expect(await textsAt(before, between, behind)).toEqual(['Before', '\0'.repeat(200_000), 'Behind']);
    await segments.erase([{ segment: 9, position: 0, length: 5 }]);
    expect(readdirSync(folder)).toEqual(['1.texts']);
  });

  it('are complete at 32 MiB, once every addition is settled', () => {
    const half = Buffer.alloc(SEGMENT_BYTES / 2, 'x');
    const [first, second] = [segments.add([half]), segments.add([half])];
    expect([segments.current, segments.complete.size]).toEqual([null, 0]);
    segments.settle(second);
    expect(segments.complete.size).toBe(0);
    segments.settle(first);
    expect(segments.complete).toEqual(new Map([[1, SEGMENT_BYTES]]));
    expect(added('Next').segment).toBe(2);
  });

  it('are found again by the next process, which begins another', async () => {
    const places = [...aCompleteFile('Hello'), added('World')];
    writeFileSync(join(folder, 'notes.txt'), 'not of these');
    segments = new TextSegments(folder);
    expect([segments.complete, await textsAt(...places), added('Next').segment]).toEqual([new Map([[1, 5], [2, 5]]), ['Hello', 'World'], 3]);
  });

  it('have numbers above the last one that is known', () => {
    segments = new TextSegments(folder, 7);
    expect(added('Hello').segment).toBe(8);
  });

  it('may vanish while another process looks for them', () => {
    added('Hello');
    symlinkSync(join(parent, 'gone'), join(folder, '7.texts'));
    expect(new TextSegments(folder).complete).toEqual(new Map([[1, 5]]));
  });

  it('are never written over while another process has them', () => {
    added('Hello');
    writeFileSync(join(folder, '2.texts'), 'of another process');
    segments.completeCurrent();
    expect(added('Next').segment).toBe(3);
    expect(readFileSync(join(folder, '2.texts'), 'utf8')).toBe('of another process');
  });

  it('take nothing while they cannot be made, and go on when they can', async () => {
    writeFileSync(folder, 'no folder');
    expect(() => segments.add([bytesOf('x')])).toThrow('ENOTDIR');
    expect([segments.current, segments.complete.size]).toEqual([null, 0]);
    rmSync(folder);
    expect(await textsAt(added('Hello'))).toEqual(['Hello']);
  });
});

describe('a file that is removed', () => {
  it('is gone, or was never there', async () => {
    aCompleteFile('Hello');
    rmSync(join(folder, '1.texts'));
    await segments.remove(1);
    aCompleteFile('Hello');
    await segments.remove(2);
    expect([readdirSync(folder), segments.complete.size]).toEqual([[], 0]);
  });
});
