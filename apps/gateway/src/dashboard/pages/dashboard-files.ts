import { readdirSync, statSync } from 'node:fs';
import { extname, join } from 'node:path';
import { fileURLToPath } from 'node:url';

/** Copies that the builder wrote beside a file, the smaller one first. */
const COPIES = [['br', '.br'], ['gzip', '.gz']] as const;
const PAGE = 'index.html';
const HASHED = 'assets/';

/** Files lie in the folder itself or among the hashed ones; elsewhere a dot is part of an id, such as that of a model. */
function namesFile(path: string): boolean {
  return extname(path) !== '' && (path.startsWith(HASHED) || !path.includes('/'));
}

export type Encoding = (typeof COPIES)[number][0];

/** A built file, as it is served. */
export interface DashboardFile {
  /** Below the folder; the name of a compressed copy where one is sent. */
  readonly name: string;
  /** Extension of the file itself, with its dot. */
  readonly extension: string;
  readonly encoding: Encoding | null;
  /** Its name changes with its contents, so that browsers may keep it for ever. */
  readonly isHashed: boolean;
}

/** The files that the dashboard is built into. They are listed anew when the page has been built anew: a request never reaches another file. */
export class DashboardFiles {
  readonly root: string;
  #names: ReadonlySet<string> = new Set();
  #builtAt: number | null = null;

  constructor(folder: URL) {
    this.root = fileURLToPath(folder);
    this.#listWhenBuilt();
  }

  /** Whether there is anything to serve. */
  get isBuilt(): boolean {
    this.#listWhenBuilt();
    return this.#names.has(PAGE);
  }

  #listWhenBuilt(): void {
    const builtAt = statSync(join(this.root, PAGE), { throwIfNoEntry: false })?.mtimeMs ?? null;
    if (builtAt === null || builtAt === this.#builtAt) return;
    this.#names = new Set(readdirSync(this.root, { recursive: true, encoding: 'utf8' }).map((name) => name.replaceAll('\\', '/')));
    this.#builtAt = builtAt;
  }

  /**
   * The file at a path below `/dashboard`. Every path that names no file is a view of the one page.
   * `null` where there is none. `accepted` are the encodings that the browser takes.
   */
  find(path: string, accepted: readonly string[]): DashboardFile | null {
    const wanted = path.replace(/^\/+/, '');
    const name = namesFile(wanted) ? wanted : PAGE;
    const isCopy = COPIES.some(([, ending]) => name.endsWith(ending));
    if (isCopy || !this.#names.has(name)) return null;
    const [encoding, ending] = COPIES.find(([copy, end]) => accepted.includes(copy) && this.#names.has(name + end)) ?? [null, ''];
    return { name: name + ending, extension: extname(name), encoding, isHashed: name.startsWith(HASHED) };
  }
}
