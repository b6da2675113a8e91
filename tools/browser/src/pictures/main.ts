import { resolve } from 'node:path';
import { parseArgs } from 'node:util';
import { findBarriers, launchChromium } from '../driver/watched-page.js';
import { openGallery, pictureName, Visits, walk } from './gallery.js';
import { statesOf } from './states.js';
import { fontsOfMachine, StoredPictures, takePicture } from './take-picture.js';

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
