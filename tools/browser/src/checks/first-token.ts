import { strict as assert } from 'node:assert';
import type { Page } from 'playwright-core';
import { gone, shown, visit } from '../driver/page-states.js';
import { passDays } from '../world/open-world.js';
import type { Check, CheckContext } from './check.js';

interface Times {
  readonly requests: number;
}

/** Number of requests with a measured time to the first token, read from the API. */
async function measuredBy(page: Page, path: string): Promise<number> {
  const { total } = await page.evaluate(async (address) => (await fetch(`/dashboard/api${address}`)).json() as Promise<{ readonly total: Times | null }>, path);
  return total?.requests ?? 0;
}

async function chooseTimes(page: Page): Promise<void> {
  await page.getByRole('group', { name: 'Show' }).getByRole('button', { name: 'First token' }).click();
  await shown(page.getByRole('img', { name: /half of the requests had their first token within/ }));
}

async function showsTimes(page: Page, requests: number): Promise<void> {
  const card = page.getByRole('region', { name: 'Time to the first token', exact: true }).first();
  await shown(card.getByText(`Measured on ${requests} request`));
  await card.getByRole('button', { name: 'View as table' }).click();
  await shown(card.getByRole('row', { name: new RegExp(`^Whole period ${requests} `) }));
  await card.getByRole('button', { name: /^By model/ }).click();
  const models = page.getByRole('dialog');
  await shown(models.getByRole('row', { name: /^sandbox.small /i }));
  await page.keyboard.press('Escape');
  await gone(models);
}

async function chartsTimes(check: CheckContext): Promise<void> {
  await check.apart(async (context) => {
    const owner = await context.owner();
    await passDays(context.world, owner, { days: 3 });
    const { page } = await context.signedIn(owner);
    await visit(page, '/usage');
    await chooseTimes(page);
    const requests = await measuredBy(page, '/usage/first-token');
    assert.ok(requests > 3, `${requests} requests were measured`);
    await showsTimes(page, requests);
    await page.reload();
    await shown(page.getByRole('row', { name: /^Whole period/ }));
    await visit(page, '/usage?measure=first_token&model=no-such-model');
    await shown(page.getByText('No request in this period had output.'));
    const { page: theirs } = await context.signedIn(await context.operator());
    await visit(theirs, '/operator/overview');
    await chooseTimes(theirs);
    await showsTimes(theirs, await measuredBy(theirs, '/operator/usage/first-token'));
  });
}

export const firstTokens: Check = {
  number: 46, title: 'Owner and operator see the median and the 95th percentile of the time to the first token, as bars, as a table and by model; a period without output says so', run: chartsTimes,
};
