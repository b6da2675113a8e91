import { strict as assert } from 'node:assert';
import { noteGateway } from '../record/note-gateway.js';
import { findBarriers } from '../pictures/find-barriers.js';
import { openGallery, Visits } from '../pictures/gallery.js';
import { statesOf } from '../pictures/states.js';
import { pictureName, walk } from '../pictures/walk.js';
import type { Check } from './check.js';
import type { CheckContext } from './check-context.js';
import { needsNoMouse } from './keyboard-alone.js';

async function hasNoBarriers({ browser, record }: CheckContext): Promise<void> {
  const gallery = await openGallery();
  const found: string[] = [];
  try {
    const failures = await walk(new Visits(browser, gallery, record), statesOf(gallery), async ({ state, look, watched: { page, note } }) => {
      found.push(...(await findBarriers(page)).map((barrier) => `${pictureName(state, look)}: ${barrier}`));
      await note();
    });
    found.push(...[...failures].map(([name, why]) => `${name} could not be opened: ${why.split('\n')[0] ?? ''}`));
  } finally {
    noteGateway(record, 'the gallery', gallery.world);
    await gallery.world.close();
  }
  assert.ok(found.length === 0, found.join('\n'));
}

async function run(context: CheckContext): Promise<void> {
  await needsNoMouse(context);
  await hasNoBarriers(context);
}

export const accessiblePages: Check = { number: 22, title: 'Checks 1, 3, 6 and 19 pass with the keyboard alone, and axe-core finds nothing serious or critical on any page or in any open dialog, in both schemes and widths', run };
