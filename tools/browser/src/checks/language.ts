import { strict as assert } from 'node:assert';
import type { Page } from 'playwright-core';
import { heading, shown } from '../driver/page-states.js';
import { PASSWORD, type Resident } from '../world/open-world.js';
import type { Check, CheckContext } from './check.js';

/** Headings of the German pages, by path. */
const GERMAN_PAGES = {
  keys: 'API-Schlüssel', usage: 'Nutzung', models: 'Modelle', playground: 'Playground', billing: 'Abrechnung', webhooks: 'Webhooks', activity: 'Aktivität', account: 'Einstellungen', reference: 'API-Referenz',
};

function languageOf(page: Page): Promise<string | null> {
  return page.locator('html').getAttribute('lang');
}

async function signInInGerman(page: Page, { email }: Resident): Promise<void> {
  await page.goto('/dashboard/sign-in');
  await shown(heading(page, 'Anmelden'));
  assert.equal(await languageOf(page), 'de');
  await page.getByLabel('E-Mail').fill(email);
  await page.getByLabel('Passwort', { exact: true }).fill(PASSWORD);
  await page.getByRole('button', { name: 'Anmelden', exact: true }).click();
  await shown(heading(page, 'Übersicht'));
}

async function chooseInMenu(page: Page, person: RegExp, language: string): Promise<void> {
  await page.getByRole('button', { name: person }).click();
  await page.getByRole('menuitemradio', { name: language }).click();
}

async function readsInTwoLanguages(context: CheckContext): Promise<void> {
  const owner = await context.owner();
  const { page } = await context.page({ locale: 'de-DE' });
  await signInInGerman(page, owner);
  for (const [path, title] of Object.entries(GERMAN_PAGES)) {
    await page.goto(`/dashboard/${path}`);
    await shown(heading(page, title));
  }
  await page.goto('/dashboard/keys');
  await chooseInMenu(page, /^Person:/, 'English');
  await shown(heading(page, 'API keys'));
  await page.reload();
  await shown(heading(page, 'API keys'));
  assert.equal(await languageOf(page), 'en');
  await page.context().clearCookies({ name: /session/ });
  await page.goto('/dashboard/sign-in');
  await page.getByRole('button', { name: 'Deutsch' }).click();
  await shown(heading(page, 'Anmelden'));
}

export const language: Check = {
  number: 44, title: 'A person reads every page in the browser’s language, chooses another one, and keeps it',
  run: readsInTwoLanguages,
};
