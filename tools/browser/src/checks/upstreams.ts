import { strict as assert } from 'node:assert';
import type { Locator, Page } from 'playwright-core';
import { shown, visit } from '../driver/page-states.js';
import type { Resident, World } from '../world/open-world.js';
import type { Check, CheckContext } from './check.js';

async function send({ gateway }: World, { secret }: Resident, model: string): Promise<void> {
  const response = await fetch(`${gateway.url}/v1/chat/completions`, {
    method: 'POST', headers: { authorization: `Bearer ${secret}`, 'content-type': 'application/json' }, body: JSON.stringify({ model, max_tokens: 10, messages: [{ role: 'user', content: 'Hello.' }] }),
  });
  await response.arrayBuffer();
}

function rowOf(page: Page, model: string): Locator {
  return page.getByRole('row').filter({ has: page.getByRole('rowheader', { name: model }) });
}

/** `green` if the label has the theme's light green as its background, otherwise `another`. */
function colourOf(row: Locator, status: string): Promise<string> {
  return row.getByText(status, { exact: true }).evaluate((label) => {
    const probe = document.createElement('span');
    probe.style.color = 'var(--mantine-color-green-light)';
    document.body.append(probe);
    const green = getComputedStyle(probe).color;
    probe.remove();
    const badge = label.closest('[class*="Badge-root"]');
    return badge !== null && getComputedStyle(badge).backgroundColor === green ? 'green' : 'another';
  });
}

async function readsStates(context: CheckContext): Promise<void> {
  await context.apart(async (apart) => {
    const owner = await apart.owner();
    const { page } = await apart.signedIn(await apart.operator());
    await visit(page, '/operator/upstreams');
    const [small, unavailable] = [rowOf(page, 'Sandbox Small'), rowOf(page, 'Sandbox Unavailable')];
    for (const row of [small, unavailable]) assert.equal(await colourOf(row, 'Not tried yet'), 'another', 'a model that was never asked is not green');
    await send(apart.world, owner, 'sandbox-small');
    await send(apart.world, owner, 'sandbox-unavailable');
    await shown(small.getByText('Answering', { exact: true }));
    assert.equal(await colourOf(small, 'Answering'), 'green');
    await shown(unavailable.getByText(/^since /));
    assert.equal(await colourOf(unavailable, 'Failing'), 'another');
    assert.ok(!/circuit|closed|half-open/i.test(await page.getByRole('main').innerText()), 'the page has no word of the engine');
  });
}

export const upstreamStates: Check = {
  number: 48, title: 'An operator reads of each model whether it is answering, failing since when, or not tried yet; only one that has answered is green', run: readsStates,
};
