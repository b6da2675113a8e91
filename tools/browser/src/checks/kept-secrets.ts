import { strict as assert } from 'node:assert';
import { services } from '@tollgate/gateway';
import type { Page } from 'playwright-core';
import { openPage } from '../driver/watched-page.js';
import { until } from '../driver/wait.js';
import { findSecrets } from '../record/find-secrets.js';
import { noteCrashReports, noteGateway } from '../record/note-gateway.js';
import { type Place, PLACES, RunRecord, SECRET_KINDS } from '../record/run-record.js';
import type { World } from '../world/open-world.js';
import type { Check } from './check.js';
import { type CheckContext, heading, shown } from './check-context.js';
import { downloads } from './downloads.js';
import { keySecrets } from './key-secrets.js';
import { waysIn } from './ways-in.js';

/** Where every run leaves something. There is a crash report only where something crashed. */
const ALWAYS_LEFT: readonly Place[] = PLACES.filter((place) => place !== 'crash report' && place !== 'console');
const PLANTED = 'sk-planted-0123456789abcdef';

function missingFrom(record: RunRecord): readonly string[] {
  const places = new Set(record.traces.map(({ place }) => place));
  return [...SECRET_KINDS.filter((kind) => record.secrets(kind).size === 0), ...ALWAYS_LEFT.filter((place) => !places.has(place))];
}

/** Has the page keep a text wherever it can. */
async function leakAll(page: Page, secret: string): Promise<void> {
  await page.evaluate(async (text) => {
    document.cookie = `leak=${text}`;
    localStorage.setItem('leak', text);
    sessionStorage.setItem('leak', text);
    await new Promise<void>((resolve) => {
      const opening = indexedDB.open('leak');
      opening.addEventListener('upgradeneeded', () => void opening.result.createObjectStore('leaks').put(text, 1));
      opening.addEventListener('success', () => {
        opening.result.close();
        resolve();
      });
    });
    await (await caches.open('leak')).put('/leak', new Response(text));
    // oxlint-disable-next-line no-console -- A console is one of the places.
    console.info(text);
    history.replaceState({ leak: text }, '');
    history.pushState(null, '', `#${text}`);
    const link = document.createElement('a');
    link.href = URL.createObjectURL(new Blob([text]));
    link.download = 'leak.txt';
    link.click();
    history.back();
  }, secret);
}

/** That a secret is found in every place, by a page and a gateway that tell it. */
async function assertFound({ browser, world }: CheckContext): Promise<void> {
  const record = new RunRecord();
  record.addSecret('key', PLANTED);
  const { page, context, note } = await openPage(browser, world.origin, { record });
  await page.goto('/dashboard/sign-in');
  await shown(heading(page));
  const saved = page.waitForEvent('download');
  await leakAll(page, PLANTED);
  await saved;
  await until('the state of the history to be back', () => page.evaluate(() => history.state !== null));
  world.gateway.container.get(services.log).debug({ leak: PLANTED }, 'planted by a check');
  await note();
  await context.close();
  noteGateway(record, 'planted', world);
  record.addTrace({ place: 'crash report', name: 'planted', text: `{"key":"${PLANTED}"}` });
  const found = findSecrets(record);
  for (const place of PLACES) assert.ok(found.some((line) => line.startsWith(`key in ${place}: `)), `what is told in ${place} is not found`);
}

function noteRest(record: RunRecord, world: World): void {
  noteGateway(record, 'the gateway', world);
  noteCrashReports(record, process.cwd());
}

async function run(context: CheckContext): Promise<void> {
  const { record, world } = context;
  noteRest(record, world);
  // A run of this check alone makes what it looks for; a whole run has made it already.
  if (missingFrom(record).length > 0) for (const check of [keySecrets, waysIn, downloads]) await check.run(context);
  await context.closePages();
  noteRest(record, world);
  assert.deepEqual(missingFrom(record), [], 'there is nothing to look for, or nowhere to look');
  assert.deepEqual(findSecrets(record), []);
  await assertFound(context);
}

export const keptSecrets: Check = {
  number: 25, title: 'No key, password, token, code, session or mail is in a log, an address, a download or what a browser keeps, in the whole run', run,
};
