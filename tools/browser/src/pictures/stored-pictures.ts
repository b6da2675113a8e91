import { execFileSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

/** An HTML page that shows all pictures. */
function contactSheet(names: readonly string[]): string {
  const figures = names.map((name) => `<figure><a href="${name}.png"><img src="${name}.png" alt="" loading="lazy"></a><figcaption>${name}</figcaption></figure>`).join('\n');
  return `<!doctype html>
<html lang="en">
<meta charset="utf-8">
<title>The dashboard in pictures</title>
<style>
body { font: 14px system-ui; margin: 16px; background: #808890; color: #fff; }
main { display: flex; flex-wrap: wrap; gap: 16px; align-items: flex-start; }
figure { margin: 0; }
img { max-width: 420px; max-height: 520px; display: block; box-shadow: 0 1px 6px #0006; }
</style>
<h1>The dashboard in pictures</h1>
<main>
${figures}
</main>
</html>
`;
}

const MADE_WITH = 'made-with.json';

/** What determines how pictures look; only pictures with equal values can be compared. */
interface MadeWith {
  readonly browser: string;
  readonly fonts: string;
}

/** Hash of the names and versions of all fonts; if the system cannot list fonts, of an empty text. */
export function fontsOfMachine(): string {
  let fonts = '';
  try {
    fonts = execFileSync('fc-list', [':', 'fullname', 'fontversion'], { encoding: 'utf8' }).split('\n').toSorted().join('\n');
  } catch { /* The system has no fontconfig. */ }
  return createHash('sha256').update(fonts).digest('hex').slice(0, 16);
}

/** Compares new pictures with those that are stored, if browser and fonts are the same. */
export class StoredPictures {
  readonly #names: string[] = [];
  readonly #different: string[] = [];
  readonly compares: boolean;

  constructor(private readonly folder: string, private readonly madeWith: MadeWith) {
    mkdirSync(folder, { recursive: true });
    const path = join(folder, MADE_WITH);
    this.compares = existsSync(path) && readFileSync(path, 'utf8') === this.#made;
  }

  get #made(): string {
    return `${JSON.stringify(this.madeWith, null, 2)}\n`;
  }

  get different(): readonly string[] {
    return this.#different;
  }

  store(name: string, picture: Buffer): void {
    const path = join(this.folder, `${name}.png`);
    if (this.compares && existsSync(path) && !readFileSync(path).equals(picture)) this.#different.push(name);
    writeFileSync(path, picture);
    this.#names.push(name);
  }

  finish(): void {
    writeFileSync(join(this.folder, 'index.html'), contactSheet(this.#names));
    writeFileSync(join(this.folder, MADE_WITH), this.#made);
  }
}
