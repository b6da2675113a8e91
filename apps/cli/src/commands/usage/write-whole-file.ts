import { open, rename, rm } from 'node:fs/promises';

/** What `write` appends to the file; one part at a time. */
export type Append = (text: string) => Promise<void>;

/**
 * Writes a file that its owner alone may read, and that has its name only once it is complete and on the disk: until then it is `<path>.part`,
 * and what fails leaves nothing behind.
 */
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
