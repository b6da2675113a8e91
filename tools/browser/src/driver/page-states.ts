import type { Locator, Page } from 'playwright-core';

/** The page's title; with `name`, only a title of this name. */
export function heading(page: Page, name?: string): Locator {
  return page.getByRole('heading', { level: 1, ...(name === undefined ? {} : { name, exact: true }) });
}

export function shown(locator: Locator): Promise<void> {
  return locator.first().waitFor({ state: 'visible' });
}

export function gone(locator: Locator): Promise<void> {
  return locator.first().waitFor({ state: 'hidden' });
}

/** Waits for the title and the page's data. */
export async function visit(page: Page, path: string): Promise<void> {
  await page.goto(`/dashboard${path}`);
  await shown(heading(page));
  await page.locator('main [aria-busy="true"]').first().waitFor({ state: 'detached' });
}

/** Resolves once it is open. */
export function dialog(page: Page, name: string | RegExp): Promise<void> {
  return shown(page.getByRole('dialog', { name }));
}
