// Keeps texts in files beside the database: `docs/performance.md`.
import { closeSync, ftruncateSync, linkSync, openSync, readdirSync, statSync, unlinkSync, writeSync } from 'node:fs';
import { type FileHandle, open, rename, unlink } from 'node:fs/promises';
import { join } from 'node:path';
import { makeFolder } from '../file/database-file.js';
import { errorCodeOf, storeFailure } from '../sqlite-connection.js';

/** A file that has this many bytes is complete. */
export const SEGMENT_BYTES = 32 * 1024 * 1024;

const OWNER_ONLY = 0o600;
const NAME = /^(\d+)\.texts$/;
const SPARE_NAME = /^\d+\.spare$/;
/** Files that are kept to be written over. */
const MOST_SPARES = 4;
const ZEROS = Buffer.alloc(64 * 1024);

/** Where bytes are: the number of a file, the first byte in it, and how many. */
export interface Place {
  readonly segment: number;
  readonly position: number;
  readonly length: number;
}

interface CurrentSegment {
  readonly segment: number;
  readonly descriptor: number;
  bytes: number;
}

/**
 * Numbered files of one folder, which bytes are only added to. One process adds and removes files, others may read and erase.
 * What is added outlives the process at once, but the last of it may be lost with the power. What fails throws `StoreUnavailable`.
 */
export class TextSegments {
  readonly #complete = new Map<number, number>();
  /** Of each file, the additions that nothing refers to yet. */
  readonly #unsettled = new Map<number, number>();
  /** Paths of files that are written over instead of new ones: their pages are in the system's memory already. */
  readonly #spares: string[] = [];
  #current: CurrentSegment | null = null;
  #last: number;

  /** The folder is made, for its owner alone, once something is added. */
  constructor(private readonly folder: string) {
    for (const name of namesIn(folder)) {
      if (SPARE_NAME.test(name)) this.#spares.push(join(folder, name));
      const segment = Number(NAME.exec(name)?.[1] ?? Number.NaN);
      // The gateway may remove a file while another program opens the database.
      const size = Number.isSafeInteger(segment) ? statSync(join(folder, name), { throwIfNoEntry: false })?.size : undefined;
      if (size !== undefined) this.#complete.set(segment, size);
    }
    this.#last = Math.max(0, ...this.#complete.keys());
  }

  /** The bytes of each file to which nothing is added any more and of which every addition is settled. */
  get complete(): ReadonlyMap<number, number> {
    return new Map([...this.#complete].filter(([segment]) => !this.#unsettled.has(segment)));
  }

  /** The file that is added to; `null` before the first addition to a new one. */
  get current(): number | null {
    return this.#current?.segment ?? null;
  }

  /** Adds bytes. Call `settle` once it is decided whether anything refers to them: until then, the file is not complete. */
  add(bytes: Uint8Array): Place {
    try {
      const current = this.#current ??= this.#begin();
      const { segment, descriptor, bytes: position } = current;
      for (let written = 0; written < bytes.length;) written += writeSync(descriptor, bytes, written, bytes.length - written, position + written);
      current.bytes += bytes.length;
      this.#unsettled.set(segment, (this.#unsettled.get(segment) ?? 0) + 1);
      if (current.bytes >= SEGMENT_BYTES) this.completeCurrent();
      return { segment, position, length: bytes.length };
    } catch (thrown) {
      throw storeFailure(thrown);
    }
  }

  settle({ segment }: Place): void {
    const left = (this.#unsettled.get(segment) ?? 0) - 1;
    if (left > 0) this.#unsettled.set(segment, left);
    else this.#unsettled.delete(segment);
  }

  /** What is added next begins a file. */
  completeCurrent(): void {
    if (this.#current === null) return;
    const { segment, descriptor, bytes } = this.#current;
    this.#current = null;
    this.#complete.set(segment, bytes);
    // A file that was written over may have been longer.
    ftruncateSync(descriptor, bytes);
    closeSync(descriptor);
  }

  /** The bytes of each place, in their order; `null` where the file is gone or too short. */
  read(places: readonly Place[]): Promise<readonly (Buffer | null)[]> {
    return this.#visit(places, 'r', async (file, { position, length }) => {
      const bytes = Buffer.allocUnsafe(length);
      const { bytesRead } = await file.read(bytes, 0, length, position);
      return bytesRead === length ? bytes : null;
    });
  }

  /** Overwrites the bytes of each place with zeros. */
  async erase(places: readonly Place[]): Promise<void> {
    await this.#visit(places, 'r+', async (file, { position, length }) => {
      for (let done = 0; done < length; done += ZEROS.length) await file.write(ZEROS, 0, Math.min(ZEROS.length, length - done), position + done);
      return null;
    });
  }

  /** Takes a complete file away. A few of them are written over by the next ones, or removed by `removeSpares`. */
  async remove(segment: number): Promise<void> {
    const file = this.#fileOf(segment);
    const spare = this.#spares.length < MOST_SPARES ? join(this.folder, `${segment}.spare`) : null;
    await ifThere(spare === null ? unlink(file) : rename(file, spare).then(() => this.#spares.push(spare)));
    this.#complete.delete(segment);
  }

  /** Removes those that were not written over. */
  async removeSpares(): Promise<void> {
    for (const spare of this.#spares.splice(0)) await ifThere(unlink(spare));
  }

  #fileOf(segment: number): string {
    return join(this.folder, `${segment}.texts`);
  }

  #begin(): CurrentSegment {
    makeFolder(this.folder);
    let descriptor: number | null = null;
    while (descriptor === null) {
      this.#last += 1;
      descriptor = unlessThere(() => this.#make(this.#fileOf(this.#last)));
    }
    return { segment: this.#last, descriptor, bytes: 0 };
  }

  /** Opens a file that must not be there yet, made of a spare one if there is any. */
  #make(file: string): number {
    const spare = this.#spares.pop();
    if (spare === undefined) return openSync(file, 'wx', OWNER_ONLY);
    linkSync(spare, file);
    unlinkSync(spare);
    return openSync(file, 'r+');
  }

  /** Opens each file once, and visits the places in it one after the other. */
  async #visit(places: readonly Place[], flags: 'r' | 'r+', visit: (file: FileHandle, place: Place) => Promise<Buffer | null>): Promise<readonly (Buffer | null)[]> {
    const found = new Map<Place, Buffer | null>();
    for (const segment of new Set(places.map((place) => place.segment))) {
      await withFile(this.#fileOf(segment), flags, async (file) => {
        for (const place of places) if (place.segment === segment) found.set(place, await visit(file, place));
      });
    }
    return places.map((place) => found.get(place) ?? null);
  }
}

async function ifThere(change: Promise<unknown>): Promise<void> {
  try {
    await change;
  } catch (thrown) {
    if (errorCodeOf(thrown) !== 'ENOENT') throw storeFailure(thrown);
  }
}

function namesIn(folder: string): readonly string[] {
  try {
    return readdirSync(folder);
  } catch (thrown) {
    if (errorCodeOf(thrown) !== 'ENOENT') throw thrown;
    return [];
  }
}

/** What `make` gives; `null` if what it makes is there already. */
function unlessThere<T>(make: () => T): T | null {
  try {
    return make();
  } catch (thrown) {
    if (errorCodeOf(thrown) !== 'EEXIST') throw thrown;
    return null;
  }
}

/** Does nothing where there is no such file. */
async function withFile(path: string, flags: string, task: (file: FileHandle) => Promise<void>): Promise<void> {
  let file: FileHandle | null = null;
  try {
    file = await open(path, flags);
    await task(file);
  } catch (thrown) {
    if (file !== null || errorCodeOf(thrown) !== 'ENOENT') throw storeFailure(thrown);
  } finally {
    await file?.close();
  }
}
