import { strict as assert } from 'node:assert';
import type { Locator, Page } from 'playwright-core';
import { heading, shown } from '../driver/page-states.js';
import { until } from '../driver/wait.js';
import { exactTokens } from './amount-places.js';
import type { Check, CheckContext } from './check.js';
import { newestTurn, recordBehind } from './playground-replies.js';

const REPLIED = 'View charge';
/** A message that the sandbox repeats in its reply. It ends with a bell character, which the page shows as an escape. */
const MARKDOWN = `Look:

# Prices

| Model | Price |
|---|---|
| small | 1 |

\`\`\`sql
select 1;
\`\`\`

[good](https://example.com/a) [bad](javascript:alert(1)) ![picture](https://example.com/p.png) <b>html</b> \u0007`;

function message(page: Page): Locator {
  return page.getByRole('textbox', { name: 'Message', exact: true });
}

function turns(page: Page): Locator {
  return page.getByRole('log').getByRole('article');
}

/** Sends a message by Enter, with Shift+Enter between its lines; resolves with the reply. */
async function say(page: Page, text: string): Promise<Locator> {
  const before = await turns(page).count();
  for (const [index, line] of text.split('\n').entries()) {
    if (index > 0) await message(page).press('Shift+Enter');
    await message(page).pressSequentially(line);
  }
  assert.equal(await message(page).inputValue(), text);
  await message(page).press('Enter');
  await until('the message to be sent', async () => await turns(page).count() === before + 2);
  await shown(newestTurn(page).getByRole('link', { name: REPLIED }));
  return newestTurn(page);
}

/** Checks that replies are formatted, and that nothing in them loads or runs. */
async function formats(page: Page): Promise<void> {
  const reply = await say(page, MARKDOWN);
  await shown(reply.getByRole('heading', { name: 'Prices' }));
  await shown(reply.getByRole('cell', { name: 'small' }));
  assert.equal(await reply.getByRole('figure').locator('pre').innerText(), 'select 1;');
  assert.equal(await reply.getByRole('link', { name: 'good' }).getAttribute('href'), 'https://example.com/a');
  assert.equal(await reply.getByRole('link', { name: 'picture' }).getAttribute('href'), 'https://example.com/p.png');
  assert.deepEqual([await reply.getByRole('link', { name: 'bad' }).count(), await reply.locator('img, b').count()], [0, 0]);
  const text = await reply.innerText();
  assert.ok(text.includes('<b>html</b>') && text.includes(String.raw`\u0007`), text);
}

async function showsRaw(page: Page): Promise<void> {
  await newestTurn(page).getByRole('button', { name: 'Raw' }).click();
  const dialog = page.getByRole('dialog', { name: 'Request and response' });
  await shown(dialog.getByText('"stream": true'));
  await dialog.getByText('Response', { exact: true }).click();
  await shown(dialog.getByText(/^data: \{.*data: \[DONE\]$/s));
  await page.keyboard.press('Escape');
}

/** Checks that a repeated reply and a changed message each replace all that followed. */
async function changes(page: Page): Promise<void> {
  for (const text of ['One', 'Two', 'Three']) await say(page, text);
  const before = await recordBehind(page, newestTurn(page));
  await page.getByRole('button', { name: 'Answer again' }).click();
  await until('another record', async () => await newestTurn(page).getByRole('link', { name: REPLIED }).count() === 1 && (await recordBehind(page, newestTurn(page))).request_id !== before.request_id);
  assert.equal(await turns(page).count(), 6);
  await page.getByRole('button', { name: 'Edit message 3', exact: true }).click();
  await page.getByRole('textbox', { name: 'Edit message' }).fill('Instead');
  await page.getByRole('button', { name: 'Send again' }).click();
  await shown(newestTurn(page).getByText(/You said: “Instead”/));
  await shown(newestTurn(page).getByRole('link', { name: REPLIED }));
  assert.equal(await turns(page).count(), 4);
}

async function isKept(page: Page): Promise<void> {
  await message(page).fill('not sent yet');
  await page.getByLabel('System').fill('Be brief.');
  await page.reload();
  await shown(newestTurn(page).getByText(/You said: “Instead”/));
  assert.deepEqual([await turns(page).count(), await message(page).inputValue(), await page.getByLabel('System').inputValue()], [4, 'not sent yet', 'Be brief.']);
}

/** Checks that the copied link contains the settings, but not the conversation. */
async function sharesSettings(page: Page): Promise<void> {
  await page.getByLabel('Top-p').fill('0.5');
  await page.getByLabel('Stop at').fill('END');
  await page.getByRole('button', { name: 'Copy link to settings' }).click();
  const link = await page.evaluate(() => navigator.clipboard.readText());
  assert.ok(!link.includes('Instead'), link);
  const other = await page.context().newPage();
  await other.goto(link);
  await shown(heading(other, 'Playground'));
  assert.deepEqual(await Promise.all(['System', 'Top-p', 'Stop at'].map((label) => other.getByLabel(label).inputValue())), ['Be brief.', '0.5', 'END']);
  assert.equal(await turns(other).count(), 0);
  await other.close();
}

/** Checks that two compared models both answer, and that each reply shows the charge of its usage record. */
async function compares(page: Page): Promise<void> {
  await page.getByRole('button', { name: 'Compare', exact: true }).click();
  await message(page).fill('Which one? [[tokens:20]]');
  await page.getByRole('button', { name: 'Send to both' }).click();
  await shown(page.getByText(/was cheaper: the other model cost [\d.]+ times as much\./));
  for (const name of ['First model', 'Second model']) {
    const lane = page.getByRole('region', { name });
    const record = await recordBehind(page, lane.getByRole('article').last());
    assert.deepEqual(await exactTokens(lane.getByRole('article').last()), [record.svc_tokens_debited]);
    assert.deepEqual(await exactTokens(lane.locator('dl')), [record.svc_tokens_debited]);
  }
  await page.getByRole('button', { name: 'End comparison' }).click();
}

async function isForgotten(page: Page): Promise<void> {
  await page.getByRole('button', { name: /@/ }).click();
  await page.getByRole('menuitem', { name: 'Sign out' }).click();
  await page.waitForURL(/\/dashboard\/sign-in/);
  assert.equal(await page.evaluate(() => sessionStorage.getItem('playground')), null);
}

async function run(context: CheckContext): Promise<void> {
  const owner = await context.owner();
  const { page } = await context.signedIn(owner, { permissions: ['clipboard-read', 'clipboard-write'] });
  await page.goto('/dashboard/playground');
  await shown(heading(page, 'Playground'));
  const models = await page.getByLabel('Model', { exact: true }).getByRole('option').evaluateAll((options) => options.map((option) => (option as unknown as { readonly value: string }).value));
  assert.equal(await page.getByLabel('Model', { exact: true }).inputValue(), models[0], 'the cheapest model is chosen');
  await formats(page);
  await showsRaw(page);
  await page.getByRole('button', { name: 'Clear' }).first().click();
  await changes(page);
  await isKept(page);
  await sharesSettings(page);
  await compares(page);
  await isForgotten(page);
}

export const playgroundConversation: Check = {
  number: 27, title: 'A conversation in the playground is formatted without HTML, can be edited and answered again, shows its raw requests, is kept over a reload and forgotten at the sign-out, and compares two models', run,
};
