import type { Page } from 'playwright-core';
import type { Resident } from '../world/open-world.js';

/** An owner, and a page of theirs. */
export interface SignedIn {
  readonly owner: Resident;
  readonly page: Page;
}

/** Fills in the sign-in page, and sends it. */
export async function enter(page: Page, email: string, password: string): Promise<void> {
  await page.goto('/dashboard/sign-in');
  await page.getByLabel('E-mail').fill(email);
  await page.getByLabel('Password', { exact: true }).fill(password);
  await page.getByRole('button', { name: 'Sign in', exact: true }).click();
}

/** Signs out by the person's menu. */
export async function signOut(page: Page): Promise<void> {
  await page.getByRole('button', { name: /^Person:/ }).click();
  await page.getByRole('menuitem', { name: 'Sign out' }).click();
  await page.waitForURL(/sign-in/);
}
