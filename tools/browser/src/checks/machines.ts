import { strict as assert } from 'node:assert';
import type { Page } from 'playwright-core';
import { MILLISECONDS_PER_MINUTE } from '@tollgate/core';
import { type Hand, mouse } from '../driver/hand.js';
import { shown } from '../driver/page-states.js';
import type { Check, CheckContext } from './check.js';
import { provePassword, takeSecret } from './secret-dialog.js';

const SECRET = /^tgm_[A-Za-z0-9]{48}$/;
/** Minutes to wait so that a proof of identity is no longer fresh. */
const PROOF_MINUTES = 11;

async function statusWith({ world: { gateway } }: CheckContext, secret: string): Promise<number> {
  return (await fetch(`${gateway.url}/admin/v1/accounts`, { headers: { authorization: `Bearer ${secret}` } })).status;
}

/** Creates a machine; the first attempt has three faults. */
async function create(context: CheckContext, page: Page, hand: Hand): Promise<string> {
  await hand.press(page.getByRole('button', { name: 'Create machine', exact: true }).first());
  const form = page.getByRole('dialog', { name: 'Create machine' });
  await hand.opened(form);
  const submit = form.getByRole('button', { name: 'Create machine' });
  await hand.write(form.getByLabel('Networks'), 'home');
  await hand.press(submit);
  for (const fault of ['This field is required.', 'Choose at least one scope.', /^Line 1 is no address/]) await shown(form.getByText(fault));
  assert.equal(await form.getByRole('checkbox', { name: 'keys:write' }).isDisabled(), true);
  await hand.write(form.getByLabel('Name', { exact: true }), 'Shop');
  await hand.tick(form.getByRole('checkbox', { name: 'accounts:read' }));
  await hand.write(form.getByLabel('Networks'), '127.0.0.0/8');
  await hand.press(submit);
  await provePassword(page, hand);
  return takeSecret(context, page, { hand, form: SECRET, title: 'Machine “Shop” created' });
}

async function choose(page: Page, hand: Hand, action: string): Promise<void> {
  await hand.press(page.getByRole('button', { name: 'Actions for “Shop”' }));
  await hand.press(page.getByRole('menuitem', { name: action }));
}

async function rotate(context: CheckContext, page: Page, hand: Hand): Promise<string> {
  await choose(page, hand, 'Rotate secret');
  const form = page.getByRole('dialog', { name: /^Rotate/ });
  await hand.opened(form);
  await hand.press(form.getByRole('button', { name: 'Rotate secret' }));
  return takeSecret(context, page, { hand, form: SECRET, title: 'New secret of “Shop”' });
}

/** Revokes the machine. Its name must be typed, because it was just used. */
async function revoke(page: Page, hand: Hand): Promise<void> {
  await page.reload();
  await choose(page, hand, 'Revoke');
  const question = page.getByRole('dialog', { name: 'Revoke “Shop”?' });
  await hand.opened(question);
  await hand.write(question.getByLabel('Name of the machine'), 'Shop');
  await hand.press(question.getByRole('button', { name: 'Revoke machine' }));
  await hand.closed(question);
  await shown(page.getByText('“Shop” is revoked.'));
}

export async function managesMachine(context: CheckContext, handOf: (page: Page) => Hand): Promise<void> {
  const { page } = await context.signedIn(await context.operator());
  const hand = handOf(page);
  await page.goto('/dashboard/operator/machines');
  context.world.clock.advance(PROOF_MINUTES * MILLISECONDS_PER_MINUTE);
  const first = await create(context, page, hand);
  assert.equal(await statusWith(context, first), 200);
  const second = await rotate(context, page, hand);
  assert.deepEqual([await statusWith(context, first), await statusWith(context, second)], [200, 200]);
  await revoke(page, hand);
  assert.deepEqual([await statusWith(context, first), await statusWith(context, second)], [401, 401]);
}

export const operatorsMachine: Check = {
  number: 26, title: 'An operator creates a machine after a proof, rotates it with an overlap, and revokes it by typing its name; its secret is shown once',
  run: (context) => context.apart((own) => managesMachine(own, () => mouse)),
};
