import type { Page } from 'playwright-core';

/** Reads from the dashboard's API in the session of the page. */
export async function read<Body>(page: Page, path: string): Promise<Body> {
  return page.evaluate(async (address) => (await fetch(address)).json() as Promise<unknown>, `/dashboard/api${path}`) as Promise<Body>;
}

/** Sends a message in the playground; returns the status of the reply. */
export async function statusOfPlayground(page: Page): Promise<number> {
  return page.evaluate(async () => (await fetch('/dashboard/api/playground/chat', {
    method: 'POST', headers: { 'content-type': 'application/json' }, body: JSON.stringify({ model: 'sandbox-small', messages: [{ role: 'user', content: 'Hello.' }] }),
  })).status);
}
