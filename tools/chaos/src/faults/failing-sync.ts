import { execFileSync } from 'node:child_process';
import { accessSync, constants, rmSync, writeFileSync } from 'node:fs';
import { delimiter, join } from 'node:path';

/** Thrown by a round that cannot run on this machine. The message states what is missing. */
export class CannotRunError extends Error {
  override readonly name = 'CannotRunError';
}

const COMPILERS = ['cc', 'gcc', 'clang'] as const;

function isExecutable(file: string): boolean {
  try {
    accessSync(file, constants.X_OK);
    return true;
  } catch {
    return false;
  }
}

/** Path of a C compiler in the directories of `path`; `null` if there is none. */
export function findCompiler(path: string): string | null {
  const candidates = COMPILERS.flatMap((name) => path.split(delimiter).filter((folder) => folder !== '').map((folder) => join(folder, name)));
  return candidates.find(isExecutable) ?? null;
}

const SOURCE = `#define _GNU_SOURCE
#include <errno.h>
#include <stdlib.h>
#include <sys/syscall.h>
#include <unistd.h>

static int failing(void) {
  const char *file = getenv("CHAOS_SYNC_FAILS_FILE");
  return file != NULL && access(file, F_OK) == 0;
}

static int sync_or_fail(long call, int descriptor) {
  if (!failing()) return (int) syscall(call, descriptor);
  errno = EIO;
  return -1;
}

int fdatasync(int descriptor) { return sync_or_fail(SYS_fdatasync, descriptor); }
int fsync(int descriptor) { return sync_or_fail(SYS_fsync, descriptor); }
`;

/** A library for `LD_PRELOAD`. While a certain file exists, `fdatasync` and `fsync` fail with `EIO`. */
interface FailingSync {
  readonly environment: Readonly<Record<string, string>>;
  begin(): void;
  end(): void;
}

interface Machine {
  readonly path: string;
  readonly platform: NodeJS.Platform;
}

/** Compiles the library. Throws `CannotRunError` without a C compiler, and on any system but Linux. */
export function compileFailingSync(folder: string, { path = process.env['PATH'] ?? '', platform = process.platform }: Partial<Machine> = {}): FailingSync {
  const compiler = findCompiler(path);
  if (platform !== 'linux' || compiler === null) throw new CannotRunError('a disk whose fdatasync fails needs Linux and a C compiler: cc, gcc or clang');
  const [source, library, mark] = [join(folder, 'failing-sync.c'), join(folder, 'failing-sync.so'), join(folder, 'sync-fails')];
  writeFileSync(source, SOURCE);
  execFileSync(compiler, ['-shared', '-fPIC', '-O1', '-o', library, source], { stdio: 'pipe' });
  return {
    environment: { LD_PRELOAD: library, CHAOS_SYNC_FAILS_FILE: mark },
    begin: () => writeFileSync(mark, ''),
    end: () => rmSync(mark, { force: true }),
  };
}
