import { execFileSync } from 'node:child_process';
import { appendFileSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

/** A file system of a few megabytes, which can be filled to its last byte. */
export interface SmallDisk {
  readonly folder: string;
  fill(): void;
  makeRoom(): void;
  remove(): void;
}

const SIZE = '8m';
const PIECE_BYTES = 4096;

/** Why there is none. */
export interface NoSmallDisk {
  readonly refusal: string;
}

/** A real file system of its own, where this user may mount one. */
export function mountSmallDisk(): SmallDisk | NoSmallDisk {
  const folder = mkdtempSync(join(tmpdir(), 'tollgate-small-disk-'));
  try {
    execFileSync('mount', ['-t', 'tmpfs', '-o', `size=${SIZE}`, 'tmpfs', folder], { stdio: 'pipe' });
  } catch (thrown) {
    rmSync(folder, { recursive: true });
    return { refusal: thrown instanceof Error ? thrown.message : String(thrown) };
  }
  const filler = join(folder, 'filler');
  return {
    folder,
    fill: () => {
      for (const bytes of [PIECE_BYTES, 1]) appendUntilFull(filler, bytes);
    },
    makeRoom: () => rmSync(filler, { force: true }),
    remove: () => {
      // As soon as nobody uses it: threads that have just ended may hold files for a moment.
      execFileSync('umount', ['--lazy', folder], { stdio: 'pipe' });
      rmSync(folder, { recursive: true });
    },
  };
}

function appendUntilFull(file: string, bytes: number): void {
  while (hasRoomFor(file, Buffer.alloc(bytes)));
}

function hasRoomFor(file: string, bytes: Buffer): boolean {
  try {
    appendFileSync(file, bytes);
    return true;
  } catch (thrown) {
    if (typeof thrown === 'object' && thrown !== null && 'code' in thrown && thrown.code === 'ENOSPC') return false;
    throw thrown;
  }
}
