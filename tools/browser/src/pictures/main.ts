import { execFileSync } from 'node:child_process';
import { resolve } from 'node:path';
import type { Browser } from 'playwright-core';
import { findBarriers, launchChromium } from '../driver/watched-page.js';
import { choosePictures, drawPictures } from './choose-pictures.js';
import { CONDITIONS, type Setting, settingOf } from './conditions.js';
import { type Gallery, openGallery } from './gallery.js';
import { statesIn } from './matrix.js';
import { openEmptyGallery } from './open-empty.js';
import { openLargeGallery } from './open-large.js';
import { openLongGallery, openRightToLeftGallery } from './open-named.js';
import { progressLine } from './progress.js';
import { type PictureOptions, readOptions } from './read-options.js';
import { type Picture, pictureName } from './state.js';
import { fontsOfMachine, StoredPictures } from './stored-pictures.js';
import { takePicture } from './take-picture.js';
import { Visits, walk } from './visits.js';

const OPENERS: Readonly<Record<Setting, () => Promise<Gallery>>> = {
  usual: () => openGallery(), empty: openEmptyGallery, large: openLargeGallery, long: openLongGallery, rtl: openRightToLeftGallery,
};

function say(line: string): void {
  process.stderr.write(`${line}\n`);
}

function commitOfCheckout(): string {
  return execFileSync('git', ['rev-parse', 'HEAD'], { encoding: 'utf8' }).trim();
}

/** Names of the chosen pictures, by gallery, in the order in which they are taken. */
function namesBySetting({ conditions, draw, isGerman, ...choice }: PictureOptions): ReadonlyMap<Setting, readonly string[]> {
  const settings = [...new Set(conditions.map(settingOf))];
  // States in which the tool acts on the page are left out in German, because the tool finds elements by their English names.
  const all = settings.map((setting) => [setting, choosePictures(statesIn(conditions.filter((one) => settingOf(one) === setting)).filter(({ act }) => !isGerman || act === undefined), choice)] as const);
  const drawn = draw === null ? null : new Set(drawPictures(all.flatMap(([, pictures]) => pictures), draw.count, draw.seed).map(pictureName));
  const names = all.map(([setting, pictures]) => [setting, pictures.map(pictureName).filter((name) => drawn?.has(name) ?? true)] as const);
  return new Map(names.filter(([, taken]) => taken.length > 0));
}

/** The pictures with these names. Their paths contain the ids of this gallery. */
function picturesIn({ examples }: Gallery, setting: Setting, { names, options }: { readonly names: readonly string[]; readonly options: PictureOptions }): readonly Picture[] {
  const states = statesIn(CONDITIONS.filter((condition) => options.conditions.includes(condition) && settingOf(condition) === setting), examples);
  return choosePictures(states, { ...options, only: [] }).filter((picture) => names.includes(pictureName(picture)));
}

interface Taking {
  readonly options: PictureOptions;
  readonly stored: StoredPictures;
  /** Called after each picture with the lines to print. */
  readonly taken: (lines: readonly string[]) => void;
}

/** Takes the pictures of a gallery. Resolves with the reason for each picture that could not be taken. */
async function takeIn(browser: Browser, [setting, names]: readonly [Setting, readonly string[]], { options, stored, taken }: Taking): Promise<ReadonlyMap<string, string>> {
  say(`Opening the gallery “${setting}” for ${names.length} pictures.`);
  const gallery = await OPENERS[setting]();
  try {
    const visits = new Visits(browser, gallery, options.isGerman ? { locale: 'de-DE' } : {});
    return await walk(visits, picturesIn(gallery, setting, { names, options }), async ({ watched: { page }, ...picture }) => {
      const name = options.isGerman ? `${pictureName(picture)}-de` : pictureName(picture);
      const barriers = await findBarriers(page);
      stored.store(name, await takePicture(page));
      taken([name, ...barriers.map((barrier) => `    ${barrier}`)]);
    });
  } finally {
    await gallery.world.close();
  }
}

function reportOn(total: number): (lines: readonly string[]) => void {
  const begun = Date.now();
  let done = 0;
  return ([name = '', ...barriers]) => {
    done += 1;
    say([`${progressLine(done, total, Date.now() - begun)}: ${name}`, ...barriers].join('\n'));
  };
}

async function take(bySetting: ReadonlyMap<Setting, readonly string[]>, options: PictureOptions): Promise<number> {
  const browser = await launchChromium();
  const folder = resolve(options.folder);
  try {
    const stored = new StoredPictures(folder, { browser: browser.version(), fonts: fontsOfMachine() });
    if (!stored.compares) say('There are no pictures of the same browser and fonts yet, so none are compared.');
    const taking = { options, stored, taken: reportOn([...bySetting.values()].flat().length) };
    const failures: (readonly [name: string, why: string])[] = [];
    for (const named of bySetting) failures.push(...await takeIn(browser, named, taking));
    stored.finish();
    for (const [name, why] of failures) say(`${name} could not be taken: ${why}`);
    for (const name of stored.different) say(`${name} differs from the picture before.`);
    process.stdout.write(`${folder}/index.html\n`);
    return failures.length + stored.different.length === 0 ? 0 : 1;
  } finally {
    await browser.close();
  }
}

async function main(): Promise<number> {
  const options = readOptions(process.argv.slice(2), commitOfCheckout);
  const bySetting = namesBySetting(options);
  if (!options.isList) return take(bySetting, options);
  process.stdout.write([...bySetting.values()].flat().map((name) => `${name}\n`).join(''));
  return 0;
}

process.exitCode = await main().catch((thrown: unknown) => {
  say(thrown instanceof Error ? thrown.message : String(thrown));
  return 1;
});
