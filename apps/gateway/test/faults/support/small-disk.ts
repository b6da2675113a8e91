import { execFileSync } from 'node:child_process';
import { appendFileSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

/** A disk that tests can fill completely. */
export interface SmallDisk {
  readonly folder: string;
  fill(): void;
  makeRoom(): void;
}

const SIZE = '8m';
const PIECE_BYTES = 4096;

/** Mounts a temporary disk. Throws with the requirement if this user may not mount. */
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
      // Unmounts lazily, since threads that have just ended may hold files for a moment.
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
