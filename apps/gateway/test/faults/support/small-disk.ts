import { execFileSync } from 'node:child_process';
import { appendFileSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

/** A file system so small that a test can fill it. */
export interface SmallDisk {
  readonly folder: string;
  fill(): void;
  makeRoom(): void;
}

const SIZE = '8m';
const PIECE_BYTES = 4096;

/** Mounts a small file system for the duration of `use`. Throws if this user may not mount; the message states what is required. */
export async function onSmallDisk(use: (small: SmallDisk) => Promise<void>): Promise<void> {
  const small = mountSmallDisk();
  try {
    await use(small);
  } finally {
    small.remove();
  }
}

function mountSmallDisk(): SmallDisk & { remove(): void } {
  const folder = mkdtempSync(join(tmpdir(), 'tollgate-small-disk-'));
  try {
    execFileSync('mount', ['-t', 'tmpfs', '-o', `size=${SIZE}`, 'tmpfs', folder], { stdio: 'pipe' });
  } catch (cause) {
    rmSync(folder, { recursive: true });
    throw new Error('This test fills a tmpfs of its own: run it on Linux, as a user who may mount one (root, or CAP_SYS_ADMIN)', { cause });
  }
  const filler = join(folder, 'filler');
  return {
    folder,
    fill: () => {
      for (const bytes of [PIECE_BYTES, 1]) appendUntilFull(filler, bytes);
    },
    makeRoom: () => rmSync(filler, { force: true }),
    remove: () => {
      // Threads that have just ended may keep files open for a moment, so the file system is unmounted lazily.
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
