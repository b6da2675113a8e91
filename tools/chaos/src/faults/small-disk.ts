import { execFileSync } from 'node:child_process';
import { closeSync, mkdirSync, openSync, rmSync, writeSync } from 'node:fs';
import { join } from 'node:path';
import { textOf } from '@tollgate/kit';
import { CannotRunError } from './failing-sync.js';
import { onExit } from './fault-round.js';

/** A tmpfs that the round can fill. It is unmounted when this process ends, if not before. */
export interface SmallDisk {
  readonly folder: string;
  fill(): void;
  empty(): void;
  close(): void;
}

const BLOCK = Buffer.alloc(16 * 1024);

function fillUp(file: string): void {
  const descriptor = openSync(file, 'a');
  try {
    for (;;) writeSync(descriptor, BLOCK);
  } catch (thrown) {
    if ((thrown as NodeJS.ErrnoException).code !== 'ENOSPC') throw thrown;
  } finally {
    closeSync(descriptor);
  }
}

/** Mounts a tmpfs. Throws `CannotRunError` if this process may not mount. */
export function mountSmallDisk(folder: string, megabytes: number): SmallDisk {
  mkdirSync(folder, { recursive: true });
  try {
    execFileSync('mount', ['-t', 'tmpfs', '-o', `size=${megabytes}m`, 'tollgate-chaos', folder], { stdio: 'pipe' });
  } catch (thrown) {
    throw new CannotRunError(`a full disk needs Linux and root, to mount a tmpfs: ${textOf(thrown)}`);
  }
  const unmount = (): void => void execFileSync('umount', ['-l', folder], { stdio: 'pipe' });
  const cancel = onExit(unmount);
  const filler = join(folder, 'filler');
  return {
    folder,
    fill: () => fillUp(filler),
    empty: () => rmSync(filler, { force: true }),
    close: () => {
      cancel();
      unmount();
    },
  };
}
