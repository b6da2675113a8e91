import { strict as assert } from 'node:assert';
import type { Page } from 'playwright-core';
import { gone, heading, shown } from '../driver/page-states.js';
import { signIn } from '../driver/watched-page.js';
import { PASSWORD } from '../world/open-world.js';
import type { Check, CheckContext } from './check.js';

const TITLE = 'Before you continue';
const REQUIRED = 'Needed to continue.';
const DOCUMENTS = { TERMS_URL: 'https://acme.example/terms', PRIVACY_URL: 'https://acme.example/privacy' };

async function meStatus(page: Page): Promise<number> {
  return page.evaluate(async () => (await fetch('/dashboard/api/me')).status);
}

/** Ticks one box after the other, and checks that only both together allow the person to continue. */
async function agrees(page: Page): Promise<void> {
  await shown(heading(page, TITLE));
  const [terms, privacy] = [page.getByRole('checkbox', { name: 'I agree to the terms of service' }), page.getByRole('checkbox', { name: 'I have read the privacy notice' })];
  assert.deepEqual(await page.getByRole('main').getByRole('link').evaluateAll((links) => links.map((link) => link.getAttribute('href'))), Object.values(DOCUMENTS));
  await terms.check();
  await page.getByRole('button', { name: 'Continue' }).click();
  await shown(page.getByText(REQUIRED));
  assert.equal(await meStatus(page), 403);
  await privacy.check();
  await gone(page.getByText(REQUIRED));
  await page.getByRole('button', { name: 'Continue' }).click();
}

/** Checks that both an open page and a new one ask for consent to the new version only. */
async function agreesAgain({ world }: CheckContext, page: Page): Promise<void> {
  await world.restart(undefined, { TERMS_VERSION: '2' });
  await shown(heading(page, TITLE));
  await shown(page.getByText('This has changed since you agreed to it.'));
  await page.goto('/dashboard/keys');
  await shown(heading(page, TITLE));
  assert.equal(await page.getByRole('checkbox').count(), 1);
  await shown(page.getByText('Version 2'));
  await page.getByRole('checkbox', { name: 'I agree to the terms of service' }).check();
  await page.getByRole('button', { name: 'Continue' }).click();
  await shown(heading(page, 'API keys'));
}

async function asksForConsent(context: CheckContext): Promise<void> {
  const owner = await context.owner();
  const { page } = await context.page();
  await signIn(page, owner.email, PASSWORD);
  await shown(heading(page, TITLE));
  await page.goto('/dashboard/usage');
  await agrees(page);
  await shown(heading(page, 'Usage'));
  await agreesAgain(context, page);
  const operator = await context.signedIn(await context.operator());
  await operator.page.goto(`/dashboard/operator/accounts/${owner.accountId}`);
  await shown(operator.page.getByText(/Agreed to: terms 2 .*, privacy notice 1 /));
}

export const consent: Check = {
  number: 31, title: 'An owner agrees to the terms and the privacy notice before any other page, and again after a new version; the operator sees it',
  run: (context) => context.apart(asksForConsent, { environment: DOCUMENTS }),
};
