import type { Locator, Page } from 'playwright-core';

/** The title of the page; `name` where it has to be this one. */
export function heading(page: Page, name?: string): Locator {
  return page.getByRole('heading', { level: 1, ...(name === undefined ? {} : { name, exact: true }) });
}

/** Resolves once it can be seen. */
export function shown(locator: Locator): Promise<void> {
  return locator.first().waitFor({ state: 'visible' });
}

/** Resolves once it can no longer be seen. */
export function gone(locator: Locator): Promise<void> {
  return locator.first().waitFor({ state: 'hidden' });
}

/** Opens a page, and waits until it shows its title and has loaded its data. */
export async function visit(page: Page, path: string): Promise<void> {
  await page.goto(`/dashboard${path}`);
  await shown(heading(page));
  await page.waitForFunction(() => document.querySelector('main [aria-busy="true"]') === null);
}
