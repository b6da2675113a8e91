import { statSync } from 'node:fs';
import { open, rename, rm } from 'node:fs/promises';
import { resolve } from 'node:path';
import type { Command } from 'commander';
import { misuse } from './command-failure.js';
import type { CommandRuntime } from './command-runtime.js';

export type Append = (text: string) => Promise<void>;

/** Returns the absolute path. Refuses anything but a regular file, and asks before overwriting. */
export async function confirmOutput(runtime: CommandRuntime, command: Command, file: string): Promise<string> {
  const path = resolve(runtime.programContext.folder, file);
  const existing = statSync(path, { throwIfNoEntry: false });
  if (existing === undefined) return path;
  if (!existing.isFile()) throw misuse(`option '--output <file>': ${path} is not a file`);
  await runtime.confirm(command, `${path} exists and will be overwritten.`);
  return path;
}

/** Writes a file of mode 600. The content goes to `<path>.part`, which is synced and renamed, or removed after a failure. */
export async function writeWholeFile<Result>(path: string, write: (append: Append) => Promise<Result>): Promise<Result> {
  const partial = `${path}.part`;
  const file = await open(partial, 'w', 0o600);
  try {
    const result = await write((text) => file.writeFile(text));
    await file.sync();
    await file.close();
    await rename(partial, path);
    return result;
  } catch (failure) {
    await file.close().catch(() => undefined);
    await rm(partial, { force: true });
    throw failure;
  }
}
