import { execFileSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { parseArgs } from 'node:util';
import type { Page } from 'playwright-core';
import { findBarriers, launchChromium } from '../driver/watched-page.js';
import { openGallery, pictureName, Visits, walk } from './gallery.js';
import { statesOf } from './states.js';

/** Replaces texts that differ between runs. */
async function levelTexts(page: Page): Promise<void> {
  await page.evaluate(() => {
    const level = (text: string): string => text
      .replaceAll(/\b(req|key|acct|person|session|passkey|rsv|proc|mail|mach|vbatch|voucher|hook)_[A-Za-z0-9_-]+(…[A-Za-z0-9_-]+)?/g, (id: string, kind: string) => `${kind}_${id.slice(kind.length + 1).replaceAll(/[A-Za-z0-9_-]/g, '0')}`)
      .replaceAll(/\b(sk-|tgm_|whsec_)([A-Za-z0-9_-]+(?:(?:…|•+)[A-Za-z0-9_-]+)?)/g, (_, kind: string, rest: string) => kind + rest.replaceAll(/[A-Za-z0-9_-]/g, '0'))
      .replaceAll(/\b[0-9A-HJKMNP-TV-Z]{5}(?:…|(?:-[0-9A-HJKMNP-TV-Z]{5}){3})/g, (code: string) => code.replaceAll(/[0-9A-Z]/g, '0'))
      .replaceAll(/\b(localhost|127\.0\.0\.1):\d+/g, '$1:8080')
      .replaceAll(/#[A-Za-z0-9_-]{43}/g, '#0')
      .replaceAll(/[\d.]+ m?s(?= to the first token)/g, '100 ms');
    const levelWithin = (root: Node): void => {
      const walker = document.createTreeWalker(root, NodeFilter.SHOW_TEXT);
      for (let node: Node | null = root.nodeType === Node.TEXT_NODE ? root : walker.nextNode(); node !== null; node = walker.nextNode()) {
        const leveled = level(node.nodeValue ?? '');
        if (leveled !== node.nodeValue) node.nodeValue = leveled;
      }
    };
    levelWithin(document.body);
    // A full-page picture enlarges the window, which renders further rows.
    new MutationObserver((changes) => {
      for (const { target, addedNodes } of changes) for (const node of [target, ...addedNodes]) levelWithin(node);
    }).observe(document.body, { subtree: true, childList: true, characterData: true });
  });
}

/** The whole page, without a caret. */
async function takePicture(page: Page): Promise<Buffer> {
  await levelTexts(page);
  // A dialog covers only the visible part of the page.
  const fullPage = await page.getByRole('dialog').filter({ visible: true }).count() === 0;
  return page.screenshot({ fullPage, animations: 'disabled', caret: 'hide', scale: 'css' });
}

/** An HTML page of all pictures. */
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

/** Pictures are comparable only if these are equal. */
interface MadeWith {
  readonly browser: string;
  readonly fonts: string;
}

/** Hash of the names and versions of all fonts; of an empty list if the system does not list them. */
function fontsOfMachine(): string {
  let fonts = '';
  try {
    fonts = execFileSync('fc-list', [':', 'fullname', 'fontversion'], { encoding: 'utf8' }).split('\n').toSorted().join('\n');
  } catch { /* The system has no fontconfig. */ }
  return createHash('sha256').update(fonts).digest('hex').slice(0, 16);
}

/** Compares new pictures with stored ones of the same browser and fonts. */
class StoredPictures {
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

const FOLDER = 'data/screenshots';

function say(line: string): void {
  process.stderr.write(`${line}\n`);
}

async function main(): Promise<number> {
  const { values } = parseArgs({ options: { only: { type: 'string' }, out: { type: 'string', default: FOLDER } } });
  const browser = await launchChromium();
  const folder = resolve(values.out);
  const gallery = await openGallery();
  try {
    const stored = new StoredPictures(folder, { browser: browser.version(), fonts: fontsOfMachine() });
    if (!stored.compares) say('There are no pictures of the same browser and fonts yet, so none are compared.');
    const wanted = values.only?.split(',') ?? [''];
    const states = statesOf(gallery).map((state) => ({ ...state, looks: state.looks.filter((look) => wanted.some((text) => pictureName(state, look).includes(text))) }));
    const failures = await walk(new Visits(browser, gallery), states, async ({ state, look, watched: { page } }) => {
      const name = pictureName(state, look);
      const barriers = await findBarriers(page);
      stored.store(name, await takePicture(page));
      say([name, ...barriers.map((barrier) => `    ${barrier}`)].join('\n'));
    });
    stored.finish();
    for (const [name, why] of failures) say(`${name} could not be taken: ${why}`);
    for (const name of stored.different) say(`${name} differs from the picture before.`);
    process.stdout.write(`${folder}/index.html\n`);
    return failures.size + stored.different.length === 0 ? 0 : 1;
  } finally {
    await browser.close();
    await gallery.world.close();
  }
}

process.exitCode = await main().catch((thrown: unknown) => {
  say(thrown instanceof Error ? thrown.message : String(thrown));
  return 1;
});
