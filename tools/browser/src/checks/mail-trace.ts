import type { Check, CheckContext } from './check.js';
import { heading, shown } from '../driver/page-states.js';
import { until } from '../driver/wait.js';
import { mailedLink } from '../world/credentials.js';

async function tracesMail(context: CheckContext): Promise<void> {
  const { world } = context;
  const owner = await context.owner({ email: 'grace@traced.example', name: 'Grace' });
  const visitor = (await context.page()).page;
  await visitor.goto('/dashboard/forgot');
  await visitor.getByLabel('E-mail').fill(owner.email);
  await visitor.getByRole('button', { name: 'Send link' }).click();
  const former = await mailedLink(world, owner.email, 'reset');
  const { page } = await context.signedIn(await context.operator());
  await page.goto('/dashboard/operator/mail');
  await page.getByRole('searchbox').fill('GRACE@TRACED');
  const table = page.getByRole('table', { name: 'Sent and waiting mail' });
  await shown(table.getByText('Reset your password'));
  await until('the list of her messages alone', async () => await table.getByRole('row').count() === 2);
  await shown(table.getByText('Delivered'));
  await page.getByRole('combobox', { name: 'Status' }).click();
  await page.getByRole('option', { name: 'Not delivered' }).click();
  await shown(page.getByText('No such mail'));
  await page.getByRole('button', { name: 'Show all mail' }).click();
  await table.getByRole('link', { name: owner.email }).click();
  await shown(heading(page, 'Grace'));
  await page.getByRole('button', { name: `Send again: Reset your password, to ${owner.email}` }).click();
  await shown(page.getByText(`A new message to ${owner.email} is on its way`));
  await until('a message with another link', async () => await mailedLink(world, owner.email, 'reset') !== former);
  await visitor.goto(former);
  await visitor.getByLabel('New password').fill('battery staple of another kind');
  await visitor.getByRole('button', { name: 'Set password' }).click();
  await shown(visitor.getByText(/^This link was already used/));
}

export const mailTrace: Check = {
  number: 38, title: 'An operator finds a message by a part of the address, and sends it again from the page of the account; the former link works no longer', run: tracesMail,
};
