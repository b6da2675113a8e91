import { strict as assert } from 'node:assert';
import type { Page } from 'playwright-core';
import { gone, shown } from '../driver/page-states.js';
import { until } from '../driver/wait.js';
import type { Resident } from '../world/open-world.js';
import type { Check, CheckContext } from './check.js';

const NOTE = 'Pays late, ask Mrs Zweig first.';
const NEW_ADDRESS = 'moved@elsewhere.example';

async function writesNote(page: Page): Promise<void> {
  await page.getByRole('tab', { name: 'Notes' }).click();
  await page.getByLabel('New note').fill('Pays late.');
  await page.getByRole('button', { name: 'Add note' }).click();
  const notes = page.getByRole('list', { name: 'Notes about this customer' });
  await shown(notes.getByText('Pays late.'));
  await shown(page.getByRole('status').getByText('The note was added.'));
  await notes.getByRole('button', { name: /^Edit the note of .+: “Pays late\.”$/ }).click();
  const dialog = page.getByRole('dialog', { name: 'Edit note' });
  await dialog.getByRole('textbox').fill(NOTE);
  await dialog.getByRole('button', { name: 'Save note' }).click();
  await gone(dialog);
  await shown(notes.getByText(NOTE));
  assert.match(await notes.innerText(), /changed/);
}

async function changesAddress(page: Page, { email }: Resident): Promise<void> {
  await page.getByRole('button', { name: 'More' }).click();
  await page.getByRole('menuitem', { name: 'Change address' }).click();
  const dialog = page.getByRole('dialog', { name: `Change the address of ${email}` });
  await dialog.getByLabel('New e-mail address').fill(NEW_ADDRESS);
  await dialog.getByRole('button', { name: 'Change address' }).click();
  await shown(page.getByText(`The address is ${NEW_ADDRESS} now.`));
}

/** Bodies of the replies that the owner's page receives, as they arrive. */
function repliesTo(page: Page): string[] {
  const texts: string[] = [];
  page.on('response', (response) => void response.text().then((text) => texts.push(text), () => undefined));
  return texts;
}

async function changesCustomer(context: CheckContext): Promise<void> {
  const owner = await context.owner({ email: 'zoe@customer.example', name: 'Zoe' });
  const before = await context.signedIn(owner);
  const { page } = await context.signedIn(await context.operator());
  await page.goto(`/dashboard/operator/accounts/${owner.accountId}`);
  await writesNote(page);
  await changesAddress(page, owner);
  await before.page.reload();
  await shown(before.page.getByRole('button', { name: 'Sign in', exact: true }));
  const own = await context.signedIn({ ...owner, email: NEW_ADDRESS });
  const replies = repliesTo(own.page);
  for (const path of ['/overview', '/activity', '/account', '/billing']) {
    await own.page.goto(`/dashboard${path}`);
    await shown(own.page.getByRole('heading', { level: 1 }));
  }
  await until('the replies of the pages', () => Promise.resolve(replies.length > 0));
  assert.ok(!replies.some((text) => text.includes('Zweig')), 'no page of the owner has the note');
  await own.page.goto('/dashboard/activity');
  await shown(own.page.getByRole('row', { name: /address.*The operator/i }).first());
  assert.ok(!/\bnote\b/i.test(await own.page.getByRole('main').innerText()));
  await page.getByRole('list', { name: 'Notes about this customer' }).getByRole('button', { name: 'Remove' }).click();
  await page.getByRole('dialog', { name: 'Remove this note?' }).getByRole('button', { name: 'Remove note' }).click();
  await shown(page.getByText('No notes yet'));
  await until('the title of the page to have the focus, as the button that had it is gone', () => page.evaluate(() => document.activeElement?.tagName === 'H1'));
}

export const customerAccount: Check = {
  number: 45, title: 'An operator writes a note about a customer and changes the address; the customer signs in with it, and sees who did it and nothing of the note', run: changesCustomer,
};
