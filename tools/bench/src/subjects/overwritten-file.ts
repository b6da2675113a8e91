import { type FileHandle, open } from 'node:fs/promises';

/** About what a commit of one request writes. */
const BLOCK_BYTES = 48 * 1024;
const BLOCKS = 64;

/** A file whose blocks are written over one after the other, as those of a log are that has its length: the disk has no more to do than to keep them. */
export class OverwrittenFile {
  readonly #block = new Uint8Array(BLOCK_BYTES).fill(1);
  #next = 0;

  private constructor(private readonly file: FileHandle) {}

  static async create(path: string): Promise<OverwrittenFile> {
    const file = await open(path, 'w+');
    await file.write(new Uint8Array(BLOCKS * BLOCK_BYTES));
    await file.sync();
    return new OverwrittenFile(file);
  }

  /** Writes what a commit writes; the disk may not have it yet. */
  async write(): Promise<void> {
    const position = this.#next * BLOCK_BYTES;
    this.#next = (this.#next + 1) % BLOCKS;
    await this.file.write(this.#block, 0, BLOCK_BYTES, position);
  }

  /** Resolves once the disk has all that was written. */
  sync(): Promise<void> {
    return this.file.datasync();
  }

  close(): Promise<void> {
    return this.file.close();
  }
}
