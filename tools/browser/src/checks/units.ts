import { strict as assert } from 'node:assert';
import type { Page } from 'playwright-core';
import { gone, shown, visit } from '../driver/page-states.js';
import { passDays, type Resident, type World } from '../world/open-world.js';
import { exactAmounts } from './amount-places.js';
import type { Check, CheckContext } from './check.js';

async function spend({ gateway: { url } }: World, { secret }: Resident): Promise<void> {
  const response = await fetch(`${url}/v1/chat/completions`, {
    method: 'POST', headers: { authorization: `Bearer ${secret}`, 'content-type': 'application/json' }, body: JSON.stringify({ model: 'sandbox-small', messages: [{ role: 'user', content: 'Hello. [[tokens:77]]' }] }),
  });
  assert.equal(response.status, 200, await response.text());
}

/** How far below the figure the mouse ends its selection, in pixels. */
const SELECTED_BELOW = 60;

interface Both {
  readonly svc_tokens: string;
  readonly usd: string;
}

async function availableOf(page: Page): Promise<Both> {
  const { account } = await page.evaluate(async () => (await fetch('/dashboard/api/overview')).json() as Promise<{ readonly account: { readonly balance: { readonly available: Both } } }>);
  return account.balance.available;
}

/** Text of the open tooltip or dialog, without grouping of digits. */
async function textOf(page: Page, role: 'tooltip' | 'dialog'): Promise<string> {
  const overlay = page.locator(`[role="${role}"]`);
  await shown(overlay);
  return (await overlay.innerText()).replaceAll(',', '');
}

/** Checks by keyboard only that an amount can be focused, copied and read exactly. */
async function readsExactAmount(page: Page): Promise<void> {
  const { svc_tokens: tokens, usd } = await availableOf(page);
  const available = page.getByRole('button', { name: /exactly/ }).first();
  assert.notEqual(await available.locator('[data-rounded]').innerText(), `$${usd}`, 'the largest figure is rounded');
  await page.getByRole('button', { name: 'What the units mean' }).first().focus();
  await page.keyboard.press('Tab');
  assert.ok(await available.evaluate((element) => element === document.activeElement), 'the amount is the next stop of the keyboard');
  const detail = await textOf(page, 'tooltip');
  assert.ok(detail.includes(`$${usd}`) && detail.includes(`${tokens} service tokens`), `${detail} has both exact amounts`);
  await page.keyboard.press('Control+C');
  assert.equal(await page.evaluate(() => navigator.clipboard.readText()), usd);
  await page.keyboard.press('Escape');
  await gone(page.getByRole('tooltip', { includeHidden: true }));
  await page.keyboard.press('Enter');
  const explanation = await textOf(page, 'dialog');
  for (const text of [`$${usd}`, `${tokens} service tokens`, '1 service token is $0.001', 'Input tokens and output tokens']) assert.ok(explanation.includes(text), `${explanation} has ${text}`);
  await page.getByRole('dialog').getByRole('button', { name: 'Copy service tokens' }).click();
  assert.equal(await page.evaluate(() => navigator.clipboard.readText()), tokens);
  await page.keyboard.press('Escape');
  await gone(page.getByRole('dialog'));
}

/** Checks by mouse only that an amount can be copied, alone and within a selection of text. */
async function copiesByMouse(page: Page): Promise<void> {
  const { svc_tokens: tokens, usd } = await availableOf(page);
  const available = page.getByRole('button', { name: /exactly/ }).first();
  await available.hover();
  const detail = await textOf(page, 'tooltip');
  assert.ok(detail.includes(`$${usd}`) && detail.includes(`${tokens} service tokens`), `${detail} has both exact amounts`);
  await page.keyboard.press('Control+C');
  assert.equal(await page.evaluate(() => navigator.clipboard.readText()), usd);
  const [from, figure] = [await page.getByRole('heading', { level: 1 }).boundingBox(), await available.boundingBox()];
  assert.ok(from !== null && figure !== null);
  await page.mouse.move(from.x + 1, from.y + from.height / 2);
  await page.mouse.down();
  await page.mouse.move(figure.x + figure.width, figure.y + figure.height + SELECTED_BELOW, { steps: 8 });
  await page.mouse.up();
  await page.keyboard.press('Control+C');
  const copied = (await page.evaluate(() => navigator.clipboard.readText())).replaceAll(',', '');
  assert.ok(copied.includes(`$${usd}`), `${copied} has the exact amount`);
  await page.evaluate(() => window.getSelection()?.removeAllRanges());
}

async function explainsCoin(page: Page): Promise<void> {
  await visit(page, '/billing');
  await page.locator('[title="What the units mean"]').last().click();
  assert.ok((await textOf(page, 'dialog')).includes('1 service token is $0.001'));
}

async function usesOperatorsWord(context: CheckContext): Promise<void> {
  const { page } = await context.signedIn(await context.owner());
  for (const path of ['/overview', '/billing', '/keys', '/models', '/account']) {
    await visit(page, path);
    const text = await page.locator('body').innerText();
    assert.ok(!/service token/i.test(text), `${path} has the operator’s word alone`);
  }
  await visit(page, '/billing');
  assert.match(await page.getByRole('main').innerText(), /[\d,.]+ credits/);
}

async function tellsUnitsApart(context: CheckContext): Promise<void> {
  await context.apart(async (apart) => {
    const owner = await apart.owner({ credit: '12345.678901' });
    await spend(apart.world, owner);
    await passDays(apart.world, owner, { days: 1 });
    const { page } = await apart.signedIn(owner, { permissions: ['clipboard-read', 'clipboard-write'] });
    for (const path of ['/usage', '/billing', '/overview']) {
      await visit(page, path);
      const figures = await page.locator('[data-rounded]').allInnerTexts();
      assert.ok(figures.length > 0 && figures.every((figure) => figure.startsWith('$')), `${path} has dollars first`);
      await exactAmounts(page.getByRole('main'));
    }
    await readsExactAmount(page);
    await copiesByMouse(page);
    await explainsCoin(page);
  });
  await context.apart(usesOperatorsWord, { environment: { BRAND_TOKEN_WORD: 'credit/credits' } });
}

export const unitsApart: Check = {
  number: 35, title: 'Costs are in dollars, rounded, with the exact amount and the service tokens on hover, on focus and on copy; the units are explained one click away, in the operator’s word', run: tellsUnitsApart,
};
