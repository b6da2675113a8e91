import { strict as assert } from 'node:assert';
import type { Page } from 'playwright-core';
import type { Hand } from '../driver/hand.js';
import { PASSWORD } from '../world/open-world.js';
import type { CheckContext } from './check.js';

/** Enters the password in the dialog that requires a recent proof. */
export async function provePassword(page: Page, hand: Hand): Promise<void> {
  const proof = page.getByRole('dialog', { name: 'Confirm that it is you' });
  await hand.followed(proof);
  await hand.write(proof.getByLabel('Password', { exact: true }), PASSWORD);
  await hand.press(proof.getByRole('button', { name: 'Confirm' }));
}

interface ShownSecret {
  readonly hand: Hand;
  /** Title of the dialog that shows the secret. */
  readonly title: string;
  readonly form: RegExp;
}

/** Reads a secret that is shown once, and closes its dialog. The first attempt, without the confirmation that it is stored, opens a question. */
export async function takeSecret({ record }: CheckContext, page: Page, { hand, title, form }: ShownSecret): Promise<string> {
  const issued = page.getByRole('dialog', { name: title });
  await hand.followed(issued);
  const secret = (await issued.getByLabel('Secret', { exact: true }).innerText()).trim();
  assert.match(secret, form);
  record.addSecret('key', secret);
  await hand.press(issued.getByRole('button', { name: 'Done' }));
  await hand.press(issued.getByRole('button', { name: 'Go back' }));
  await hand.tick(issued.getByRole('checkbox', { name: 'I have stored the secret' }));
  await hand.press(issued.getByRole('button', { name: 'Done' }));
  await hand.closed(issued);
  return secret;
}
