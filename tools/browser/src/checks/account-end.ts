import { strict as assert } from 'node:assert';
import type { Resident, World } from '../world/open-world.js';
import { type Check, type CheckContext, gone, shown } from './check.js';

/** The code of the answer to a small request; `null` where it is served. */
export async function refusalOf({ gateway }: World, { secret }: Pick<Resident, 'secret'>): Promise<string | null> {
  const response = await fetch(`${gateway.url}/v1/chat/completions`, {
    method: 'POST', headers: { authorization: `Bearer ${secret}`, 'content-type': 'application/json' }, body: JSON.stringify({ model: 'sandbox-small', messages: [{ role: 'user', content: 'Hello.' }] }),
  });
  const { error } = await response.json() as { readonly error?: { readonly code: string } };
  return error?.code ?? null;
}

async function run(context: CheckContext): Promise<void> {
  const { world } = context;
  const owner = await context.owner();
  const { page } = await context.signedIn(owner);
  assert.equal(await refusalOf(world, owner), null);
  await page.goto('/dashboard/account?tab=deletion');
  await page.getByRole('button', { name: 'Delete account' }).click();
  const question = page.getByRole('dialog', { name: 'Delete your account?' });
  await shown(question.getByText('service tokens are lost.'));
  const confirm = question.getByRole('button', { name: 'Delete account' });
  await confirm.click();
  await shown(question.getByText('This is not the same text.'));
  assert.equal(await refusalOf(world, owner), null);
  await question.getByLabel('Your e-mail address').fill(owner.email);
  await confirm.click();
  await gone(question);
  await shown(page.getByText(/Your account will be deleted on \d+ \w+/));
  assert.equal(await refusalOf(world, owner), 'account_inactive');
  await page.goto('/dashboard/keys');
  await page.getByRole('link', { name: 'See deletion' }).click();
  await page.getByRole('button', { name: 'Cancel deletion' }).click();
  await shown(page.getByRole('button', { name: 'Delete account' }));
  assert.equal(await refusalOf(world, owner), null);
}

export const accountEnd: Check = { number: 17, title: 'An owner schedules the deletion of the account by typing its address, and cancels it', run };
