import { execFileSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { contactSheet } from './contact-sheet.js';

const MADE_WITH = 'made-with.json';

/** What the same page must be drawn with to be the same picture. */
export interface MadeWith {
  readonly browser: string;
  /** Of the list of fonts of this machine. */
  readonly fonts: string;
}

/** A hash of the names and versions of all fonts; of nothing where the system does not list them. */
export function fontsOfMachine(): string {
  let fonts = '';
  try {
    fonts = execFileSync('fc-list', [':', 'fullname', 'fontversion'], { encoding: 'utf8' }).split('\n').toSorted().join('\n');
  } catch { /* The system has no fontconfig. */ }
  return createHash('sha256').update(fonts).digest('hex').slice(0, 16);
}

/** A folder of pictures, which new ones are compared with where they were made with the same browser and fonts. */
export class StoredPictures {
  readonly #names: string[] = [];
  readonly #different: string[] = [];
  /** Whether the folder holds pictures that can be compared with. */
  readonly compares: boolean;

  constructor(private readonly folder: string, private readonly madeWith: MadeWith) {
    mkdirSync(folder, { recursive: true });
    const path = join(folder, MADE_WITH);
    this.compares = existsSync(path) && readFileSync(path, 'utf8') === this.#made;
  }

  get #made(): string {
    return `${JSON.stringify(this.madeWith, null, 2)}\n`;
  }

  /** Names of pictures that are not as they were. */
  get different(): readonly string[] {
    return this.#different;
  }

  store(name: string, picture: Buffer): void {
    const path = join(this.folder, `${name}.png`);
    if (this.compares && existsSync(path) && !readFileSync(path).equals(picture)) this.#different.push(name);
    writeFileSync(path, picture);
    this.#names.push(name);
  }

  /** Writes the contact sheet, and what the pictures were made with. */
  finish(): void {
    writeFileSync(join(this.folder, 'index.html'), contactSheet(this.#names));
    writeFileSync(join(this.folder, MADE_WITH), this.#made);
  }
}
