import { strict as assert } from 'node:assert';
import type { Locator, Page } from 'playwright-core';
import { heading, shown } from './check-context.js';
import { exactAmounts } from './exact-amounts.js';

/** The formats of requests, as the playground names them. */
export const FORMATS = ['Chat completions', 'Messages'] as const;
export type Format = (typeof FORMATS)[number];

/** What the pages show of one request; amounts as the API writes them. */
export interface RequestRecord {
  readonly request_id: string;
  readonly end_reason: string;
  readonly streamed: boolean;
  readonly reserved: string;
  readonly usage: { readonly prompt_tokens: number; readonly output_tokens: number; readonly reasoning_tokens: number };
  readonly svc_tokens_debited: string;
  readonly charge: { readonly lines: readonly { readonly token_class: string; readonly rate: string }[] };
  readonly key_id: string;
}

/** Opens an empty conversation with a model. */
export async function openPlayground(page: Page, model: string, format: Format): Promise<void> {
  await page.goto(`/dashboard/playground?model=${model}`);
  await shown(heading(page, 'Playground'));
  await page.getByRole('radiogroup', { name: 'Format' }).getByText(format, { exact: true }).click();
}

/** Writes a message. Resolves once the page has said what it would take. */
export async function write(page: Page, text: string): Promise<{ readonly promptTokens: number; readonly reserved: string }> {
  await page.getByRole('textbox', { name: 'Message' }).fill(text);
  const estimate = page.getByText(/^About \d[\d,]* prompt tokens? · at most/);
  await shown(estimate);
  const promptTokens = Number((/[\d,]+/.exec(await estimate.innerText()) ?? [''])[0].replaceAll(',', ''));
  const [reserved = ''] = await exactAmounts(estimate);
  return { promptTokens, reserved };
}

export function sendButton(page: Page): Locator {
  return page.getByRole('button', { name: 'Send', exact: true });
}

/** The newest turn of the conversation. */
export function newestTurn(page: Page): Locator {
  return page.getByRole('log', { name: 'Conversation' }).getByRole('article').last();
}

/** The record of the request that a reply came of, by the link below the reply. Rejects where that leads to no record. */
export async function recordBehind(page: Page, turn: Locator): Promise<RequestRecord> {
  const address = await turn.getByRole('link', { name: 'View charge' }).getAttribute('href') ?? '';
  const id = address.split('/').at(-1) ?? '';
  return page.evaluate(async (requestId) => (await fetch(`/dashboard/api/usage/${requestId}`)).json() as Promise<RequestRecord>, id);
}

/** Follows the link below a reply, and holds the page against the record. */
export async function viewCharge(page: Page, turn: Locator, ending: string): Promise<RequestRecord> {
  const link = turn.getByRole('link', { name: 'View charge' });
  await link.click();
  await page.waitForURL(/\/dashboard\/usage\/req_/);
  await shown(page.getByText(ending, { exact: true }));
  const id = new URL(page.url()).pathname.split('/').at(-1) ?? '';
  const record = await page.evaluate(async (requestId) => (await fetch(`/dashboard/api/usage/${requestId}`)).json() as Promise<RequestRecord>, id);
  assert.ok((await exactAmounts(page.getByRole('region', { name: 'Charge' }))).includes(record.svc_tokens_debited));
  return record;
}

/** What an owner's account has. */
export async function available(page: Page): Promise<string> {
  const account = await page.evaluate(async () => (await fetch('/dashboard/api/account')).json() as Promise<{ readonly balance: { readonly available: { readonly svc_tokens: string } } }>);
  return account.balance.available.svc_tokens;
}
