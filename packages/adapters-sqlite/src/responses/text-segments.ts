// Keeps texts in files beside the database: `docs/performance.md`.
import { closeSync, ftruncateSync, openSync, readdirSync, statSync, writevSync } from 'node:fs';
import { type FileHandle, open, unlink } from 'node:fs/promises';
import { join } from 'node:path';
import { StoreUnavailable } from '@tollgate/core';
import { makeFolder } from '../file/make-folder.js';
import { errorCodeOf, storeFailure } from '../file/sqlite-failures.js';

/** A file that has this many bytes is complete. */
export const SEGMENT_BYTES = 32 * 1024 * 1024;

const OWNER_ONLY = 0o600;
const NAME = /^(\d+)\.texts$/;
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
  #current: CurrentSegment | null = null;
  #last: number;

  /** The folder is made, for its owner alone, once something is added. Files get numbers above `lastKnown`, which something may still refer to. */
  constructor(private readonly folder: string, lastKnown = 0) {
    for (const name of namesIn(folder)) {
      const segment = Number(NAME.exec(name)?.[1] ?? Number.NaN);
      // The gateway may remove a file while another program opens the database.
      const size = Number.isSafeInteger(segment) ? statSync(join(folder, name), { throwIfNoEntry: false })?.size : undefined;
      if (size !== undefined) this.#complete.set(segment, size);
    }
    this.#last = Math.max(lastKnown, ...this.#complete.keys());
  }

  /** The bytes of each file to which nothing is added any more and of which every addition is settled. */
  get complete(): ReadonlyMap<number, number> {
    return new Map([...this.#complete].filter(([segment]) => !this.#unsettled.has(segment)));
  }

  /** The file that is added to; `null` before the first addition to a new one. */
  get current(): number | null {
    return this.#current?.segment ?? null;
  }

  /** Adds bytes, one piece behind the other. Call `settle` once it is decided whether anything refers to them: until then, the file is not complete. */
  add(pieces: readonly Uint8Array[]): Place {
    try {
      const current = this.#current ??= this.#begin();
      const { segment, descriptor, bytes: position } = current;
      const length = pieces.reduce((total, piece) => total + piece.length, 0);
      if (writevSync(descriptor, pieces, position) < length) {
        ftruncateSync(descriptor, position);
        throw new StoreUnavailable(new Error('The disk took only a part of a text; it may be full.'));
      }
      current.bytes += length;
      this.#unsettled.set(segment, (this.#unsettled.get(segment) ?? 0) + 1);
      if (current.bytes >= SEGMENT_BYTES) this.completeCurrent();
      return { segment, position, length };
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

  /** Resolves once all bytes of these files are on the disk. */
  async sync(segments: Iterable<number>): Promise<void> {
    for (const segment of segments) await withFile(this.#fileOf(segment), 'r+', (file) => file.datasync());
  }

  /** Removes a complete file. */
  async remove(segment: number): Promise<void> {
    try {
      await unlink(this.#fileOf(segment));
    } catch (thrown) {
      if (errorCodeOf(thrown) !== 'ENOENT') throw storeFailure(thrown);
    }
    this.#complete.delete(segment);
  }

  #fileOf(segment: number): string {
    return join(this.folder, `${segment}.texts`);
  }

  #begin(): CurrentSegment {
    makeFolder(this.folder);
    let descriptor: number | null = null;
    while (descriptor === null) {
      this.#last += 1;
      descriptor = unlessThere(() => openSync(this.#fileOf(this.#last), 'wx', OWNER_ONLY));
    }
    return { segment: this.#last, descriptor, bytes: 0 };
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
