import { createHash } from 'node:crypto';
import { mkdir, open, readFile, truncate } from 'node:fs/promises';
import { dirname } from 'node:path';

const OWNER_ONLY = 0o600;
const OWNER_ONLY_FOLDER = 0o700;

export interface StoredItems<Item> {
  readonly items: readonly Item[];
  /** Number of truncated or damaged lines. */
  readonly unreadable: number;
}

interface Line {
  readonly text: string;
  written(): void;
  failed(reason: unknown): void;
}

/** A missing file counts as an empty one. */
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

/** Encodes an item as JSON without line breaks. */
export interface OutboxCodec<Item> {
  encode(item: Item): string;
  decode(json: string): Item;
}

/** A file for one process. The first write creates it. */
export class OutboxFile<Item> {
  /** Appended lines that the next write contains. */
  #batch: Line[] | null = null;
  #work: Promise<void> = Promise.resolve();

  constructor(private readonly file: string, private readonly codec: OutboxCodec<Item>) {}

  /** Items in the order in which they were appended. */
  async read(): Promise<StoredItems<Item>> {
    const lines = (await contentOf(this.file)).split('\n').filter((line) => line !== '');
    const texts = lines.map(soundJson).filter((json) => json !== null);
    return { items: texts.map((json) => this.codec.decode(json)), unreadable: lines.length - texts.length };
  }

  /** Resolves once synced; concurrent appends share a write. */
  append(item: Item): Promise<void> {
    return this.#add(lineOf(this.codec.encode(item)));
  }

  /** Writes and syncs an empty line. A sync alone is no test: it succeeds on a full disk, and after an error that was reported before. */
  probe(): Promise<void> {
    return this.#add('\n');
  }

  /** Removes all earlier items. */
  empty(): Promise<void> {
    // Later appends are written after the truncation, so they stay.
    this.#batch = null;
    const emptied = this.#work.then(() => emptyIfThere(this.file));
    this.#work = emptied.catch(() => undefined);
    return emptied;
  }

  #add(text: string): Promise<void> {
    return new Promise((resolve, reject) => {
      this.#openBatch().push({ text, written: resolve, failed: reject });
    });
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

/** Digits of the hash that detects truncated and damaged lines. */
const CHECK_DIGITS = 16;

function checkOf(json: string): string {
  return createHash('sha256').update(json).digest('hex').slice(0, CHECK_DIGITS);
}

/** The line begins with a line break, so that it stays readable even if the line before it was truncated. */
function lineOf(json: string): string {
  return `\n${checkOf(json)} ${json}`;
}

/** JSON of a line; `null` if the line is truncated or damaged. */
function soundJson(line: string): string | null {
  const json = line.slice(CHECK_DIGITS + 1);
  return line.slice(0, CHECK_DIGITS) === checkOf(json) ? json : null;
}
