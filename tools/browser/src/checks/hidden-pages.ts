import { strict as assert } from 'node:assert';
import type { Page } from 'playwright-core';
import type { Check } from './check.js';
import { type CheckContext, heading, shown } from './check-context.js';
import { operatorPages } from './pages.js';

/** What an owner sees at an address that does not exist. */
async function answerAt(page: Page, path: string): Promise<string> {
  await page.goto(`/dashboard${path}`);
  await shown(heading(page, 'Not found'));
  return `${await page.title()}\n${await page.getByRole('main').innerHTML()}`;
}

async function run(context: CheckContext): Promise<void> {
  const [owner, other] = [await context.owner(), await context.owner()];
  const { page } = await context.signedIn(owner);
  const asked: string[] = [];
  page.on('request', (request) => void asked.push(new URL(request.url()).pathname));
  const unknown = await answerAt(page, '/no-such-page');
  for (const path of [...operatorPages(other.accountId), '/operator', '/operator/no-such-page']) assert.equal(await answerAt(page, path), unknown, `${path} differs from an unknown page`);
  assert.deepEqual(asked.filter((path) => path.startsWith('/dashboard/api/operator')), [], 'the page of an owner asks for nothing of operators');
  assert.deepEqual(asked.filter((path) => path.includes('/assets/') && /operator|live|accounts|incidents|books|audit|upstreams|mail/.test(path)), [], 'no page of operators is loaded');
  const navigation = page.getByRole('navigation');
  assert.equal(await navigation.filter({ hasText: 'Upstreams' }).count(), 0);
}

export const hiddenPages: Check = { number: 18, title: 'An owner finds at every address of operators what stands at an unknown one', run };
