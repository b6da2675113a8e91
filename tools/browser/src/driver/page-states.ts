import type { Locator, Page } from 'playwright-core';

/** The title of a page; with `name`, only if it is this text. */
export function heading(page: Page, name?: string): Locator {
  return page.getByRole('heading', { level: 1, ...(name === undefined ? {} : { name, exact: true }) });
}

export function shown(locator: Locator): Promise<void> {
  return locator.first().waitFor({ state: 'visible' });
}

export function gone(locator: Locator): Promise<void> {
  return locator.first().waitFor({ state: 'hidden' });
}

/** Opens a page, and waits for its title and its data. */
export async function visit(page: Page, path: string): Promise<void> {
  await page.goto(`/dashboard${path}`);
  await shown(heading(page));
  await page.locator('main [aria-busy="true"]').first().waitFor({ state: 'detached' });
}

/** Waits until a dialog of this name is open. */
export function dialog(page: Page, name: string | RegExp): Promise<void> {
  return shown(page.getByRole('dialog', { name }));
}
