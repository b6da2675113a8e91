import { mkdir, open, readFile, truncate } from 'node:fs/promises';
import { dirname } from 'node:path';
import type { SettleCommand } from '@tollgate/core';
import { decodeSettlement, encodeSettlement } from './settlement-line.js';

const OWNER_ONLY = 0o600;
const OWNER_ONLY_FOLDER = 0o700;

export interface StoredSettlements {
  readonly commands: readonly SettleCommand[];
  /** Lines that were cut off or damaged. */
  readonly unreadable: number;
}

interface Line {
  readonly text: string;
  written(): void;
  failed(reason: unknown): void;
}

/** A file that is not there is as good as an empty one. */
function isMissing(thrown: unknown): boolean {
  return typeof thrown === 'object' && thrown !== null && 'code' in thrown && thrown.code === 'ENOENT';
}

async function contentOf(file: string): Promise<string> {
  try {
    return await readFile(file, 'utf8');
  } catch (thrown) {
    if (isMissing(thrown)) return '';
    throw thrown;
  }
}

async function emptyIfThere(file: string): Promise<void> {
  try {
    await truncate(file);
  } catch (thrown) {
    if (!isMissing(thrown)) throw thrown;
  }
}

async function syncFolder(folder: string): Promise<void> {
  const handle = await open(folder, 'r');
  try {
    await handle.sync();
  } finally {
    await handle.close();
  }
}

/** Settlements in a file of this process alone. What was appended is on the disk; it is made only when it is first needed. */
export class SettlementFile {
  /** Takes what is appended until it is written. */
  #batch: Line[] | null = null;
  #work: Promise<void> = Promise.resolve();

  constructor(private readonly file: string) {}

  /** In the order they were appended. */
  async read(): Promise<StoredSettlements> {
    const lines = (await contentOf(this.file)).split('\n').filter((line) => line !== '');
    const commands = lines.map(decodeSettlement);
    const sound = commands.filter((command) => command !== null);
    return { commands: sound, unreadable: commands.length - sound.length };
  }

  /** Resolves when it is on the disk; what comes meanwhile is written together. */
  append(command: SettleCommand): Promise<void> {
    return new Promise((resolve, reject) => {
      this.#openBatch().push({ text: encodeSettlement(command), written: resolve, failed: reject });
    });
  }

  /** Forgets all that were appended before. */
  empty(): Promise<void> {
    // What is appended from here on is written after this, and so stays.
    this.#batch = null;
    const emptied = this.#work.then(() => emptyIfThere(this.file));
    this.#work = emptied.catch(() => undefined);
    return emptied;
  }

  #openBatch(): Line[] {
    if (this.#batch !== null) return this.#batch;
    const batch: Line[] = [];
    this.#batch = batch;
    this.#work = this.#work.then(() => this.#writeBatch(batch));
    return batch;
  }

  async #writeBatch(lines: Line[]): Promise<void> {
    if (this.#batch === lines) this.#batch = null;
    try {
      await this.#write(lines.map(({ text }) => text).join(''));
      for (const line of lines) line.written();
    } catch (thrown) {
      for (const line of lines) line.failed(thrown);
    }
  }

  async #write(text: string): Promise<void> {
    await mkdir(dirname(this.file), { recursive: true, mode: OWNER_ONLY_FOLDER });
    const handle = await open(this.file, 'a', OWNER_ONLY);
    try {
      const isNew = (await handle.stat()).size === 0;
      await handle.appendFile(text);
      await handle.sync();
      if (isNew) await syncFolder(dirname(this.file));
    } finally {
      await handle.close();
    }
  }
}
