import { strict as assert } from 'node:assert';
import type { Locator, Page } from 'playwright-core';
import { heading, shown } from '../driver/page-states.js';
import { exactTokens } from './amount-places.js';
import { until } from '../driver/wait.js';

export const FORMATS = ['Chat', 'Messages', 'Responses'] as const;
export type Format = (typeof FORMATS)[number];

/** A usage record in the form of the API. */
interface RequestRecord {
  readonly request_id: string;
  readonly end_reason: string;
  readonly streamed: boolean;
  readonly reserved: string;
  readonly usage: { readonly prompt_tokens: number; readonly output_tokens: number; readonly reasoning_tokens: number };
  readonly svc_tokens_debited: string;
  readonly charge: { readonly lines: readonly { readonly token_class: string; readonly rate: string }[] };
  readonly key_id: string;
}

let opened = 0;

/** Opens the playground with default settings and no conversation, by a link that was not opened before. */
export async function openPlayground(page: Page, model: string, format: Format): Promise<void> {
  opened += 1;
  await page.goto(`/dashboard/playground?model=${model}&opened=${opened}`);
  await shown(heading(page, 'Playground'));
  const clear = page.getByRole('button', { name: 'Clear' }).first();
  if (await clear.isEnabled()) await clear.click();
  await page.getByRole('radiogroup', { name: 'Format' }).getByText(format, { exact: true }).click();
}

/** Writes a message; resolves with the estimate once the page shows it. */
export async function write(page: Page, text: string): Promise<{ readonly promptTokens: number; readonly reserved: string }> {
  await page.getByRole('textbox', { name: 'Message' }).fill(text);
  const estimate = page.getByText(/^About \d[\d,]* input tokens? · at most/);
  await shown(estimate);
  const promptTokens = Number((/[\d,]+/.exec(await estimate.innerText()) ?? [''])[0].replaceAll(',', ''));
  const [reserved = ''] = await exactTokens(estimate);
  return { promptTokens, reserved };
}

export function sendButton(page: Page): Locator {
  return page.getByRole('button', { name: 'Send', exact: true });
}

export function newestTurn(page: Page): Locator {
  return page.getByRole('log', { name: 'Conversation' }).getByRole('article').last();
}

/** The usage record to which a reply links. Rejects if the reply has no link. */
export async function recordBehind(page: Page, turn: Locator): Promise<RequestRecord> {
  const address = await turn.getByRole('link', { name: 'View charge' }).getAttribute('href') ?? '';
  const id = address.split('/').at(-1) ?? '';
  return page.evaluate(async (requestId) => (await fetch(`/dashboard/api/usage/${requestId}`)).json() as Promise<RequestRecord>, id);
}

/** Follows a reply's link to its usage record, and compares the page with the record; resolves with the record. */
async function viewCharge(page: Page, turn: Locator, ending: string): Promise<RequestRecord> {
  const link = turn.getByRole('link', { name: 'View charge' });
  await link.click();
  await page.waitForURL(/\/dashboard\/usage\/req_/);
  await shown(page.getByText(ending, { exact: true }));
  const id = new URL(page.url()).pathname.split('/').at(-1) ?? '';
  const record = await page.evaluate(async (requestId) => (await fetch(`/dashboard/api/usage/${requestId}`)).json() as Promise<RequestRecord>, id);
  assert.ok((await exactTokens(page.getByRole('region', { name: 'Charge' }))).includes(record.svc_tokens_debited));
  return record;
}

/** The account's available balance, in the form that the page shows. */
export async function available(page: Page): Promise<string> {
  const account = await page.evaluate(async () => (await fetch('/dashboard/api/account')).json() as Promise<{ readonly balance: { readonly available: { readonly svc_tokens: string } } }>);
  return account.balance.available.svc_tokens;
}

const MODEL = 'sandbox-reasoner';
const THINKING_TOKENS = 8;
const TEXT_TOKENS = 9;
/** Minimum number of costs that the page must show; a busy machine renders fewer of them than there are tokens. */
const MIN_SEEN = 3;
const PLACES = 18;
/** A trigger for a pause between tokens, longer than rendering takes, so that each token becomes visible. */
const PACE = '[[pace:80]]';

/** State of the cost table during a reply: output tokens, label of the cost's row, and cost so far. */
type Seen = readonly [tokens: string, name: string, cost: string];

/** Records every state of the cost table, and returns a function that reads the recorded states. */
async function watchCosts(page: Page): Promise<() => Promise<readonly Seen[]>> {
  await page.getByRole('region', { name: 'Settings' }).getByRole('table').evaluate((table) => {
    const states: Seen[] = [];
    const note = (): void => {
      const [, output, cost] = [...table.querySelectorAll('tbody tr')];
      states.push([output?.querySelector('td')?.textContent ?? '', cost?.querySelector('th')?.textContent ?? '', cost?.querySelector('[data-tokens]')?.getAttribute('data-tokens') ?? '–']);
    };
    new MutationObserver(note).observe(table, { subtree: true, childList: true, characterData: true });
    (globalThis as unknown as { costStates: Seen[] }).costStates = states;
  });
  return () => page.evaluate(() => (globalThis as unknown as { costStates: Seen[] }).costStates);
}

/** An amount in units of 10^-18. */
function units(amount: string): bigint {
  const [whole = '0', fraction = ''] = amount.replaceAll(',', '').split('.');
  return BigInt(whole + fraction.padEnd(PLACES, '0'));
}

/** Asserts that every intermediate cost is the final charge minus the cost of the tokens that followed. */
function assertCounted(costs: readonly Seen[], { charge, usage, svc_tokens_debited: charged }: RequestRecord): void {
  const rate = charge.lines.find(({ token_class: tokens }) => tokens === 'output')?.rate ?? '';
  const counted = new Map(costs.filter(([tokens, name, cost]) => name.startsWith('Cost so far') && /^\d+$/.test(tokens) && cost !== '–').map(([tokens, , cost]) => [Number(tokens), cost]));
  assert.ok(counted.size >= MIN_SEEN, `the cost was counted ${counted.size} times while the reply came`);
  for (const [tokens, cost] of counted) assert.equal(units(cost), units(charged) - BigInt(usage.output_tokens - tokens) * units(rate), `${cost} for ${tokens} tokens, of ${charged}`);
}

/** Checks that a reply appears piece by piece and apart from its thinking, and that estimate, running cost and charge agree with the usage record. */
export async function streams(page: Page, format: Format): Promise<void> {
  await openPlayground(page, MODEL, format);
  await page.getByLabel('Thinking').selectOption('Low');
  const estimate = await write(page, `Hello. [[reasoning:${THINKING_TOKENS}]] [[tokens:${TEXT_TOKENS}]] ${PACE}`);
  const costs = await watchCosts(page);
  await sendButton(page).click();
  const reply = newestTurn(page);
  const thinking = reply.getByRole('group').filter({ hasText: /^Thinking, about \d+ words?/ });
  await shown(thinking.getByRole('paragraph'));
  await shown(page.getByText('Answering', { exact: true }));
  await shown(page.getByRole('button', { name: 'Stop' }));
  const lengths = await until('the text to grow', async () => {
    const text = await reply.getByRole('paragraph').last().innerText();
    return text.length > 0 && await page.getByRole('button', { name: 'Stop' }).isVisible() ? text.length : null;
  });
  await shown(reply.getByRole('link', { name: 'View charge' }));
  assert.ok((await reply.innerText()).length > lengths);
  const record = await recordBehind(page, reply);
  const { usage, svc_tokens_debited: charged } = record;
  assert.deepEqual([record.end_reason, record.streamed, usage.output_tokens, usage.reasoning_tokens], ['completed', true, THINKING_TOKENS + TEXT_TOKENS, THINKING_TOKENS]);
  assert.deepEqual(estimate, { promptTokens: usage.prompt_tokens, reserved: record.reserved });
  assert.deepEqual(await exactTokens(reply), [charged]);
  await shown(page.getByText(new RegExp(`^Done: ${usage.output_tokens} tokens, charged \\$[\\d,.]+$`)));
  assert.deepEqual(await exactTokens(page.getByRole('region', { name: 'Settings' }).getByRole('table')), [charged, await available(page)]);
  assertCounted(await costs(), record);
}

/** The charge that the cost table shows after a reply. Waits until the table also shows the account's available balance. */
async function finalCharge(page: Page): Promise<string> {
  const table = page.getByRole('region', { name: 'Settings' }).getByRole('table');
  await shown(table.getByRole('rowheader', { name: 'Charged', exact: true }));
  const left = await available(page);
  await until(`the table to say that ${left} are left`, async () => (await exactTokens(table)).at(-1) === left);
  return (await exactTokens(table)).at(-2) ?? '';
}

/** Checks that a reply that the person stops is charged up to that point. */
export async function stops(page: Page, format: Format): Promise<void> {
  await openPlayground(page, MODEL, format);
  await write(page, `Hello. [[reasoning:0]] [[tokens:600]] [[pace:20]]`);
  await sendButton(page).click();
  const reply = newestTurn(page);
  await until('some text', async () => (await reply.getByRole('paragraph').last().innerText()).length > 20);
  // Escape stops the reply, whichever element has the focus.
  await (format === 'Messages' ? page.keyboard.press('Escape') : page.getByRole('button', { name: 'Stop' }).click());
  await shown(reply.getByText('Stopped. You are charged for what was generated so far.'));
  const charged = await finalCharge(page);
  const { end_reason: ending, usage, svc_tokens_debited: debited } = await viewCharge(page, reply, 'Stopped by client');
  assert.deepEqual([ending, charged], ['client_left', debited]);
  assert.ok(usage.output_tokens > 0 && usage.output_tokens < 600, `${usage.output_tokens} tokens were charged`);
}

const TOOLS = JSON.stringify([{ type: 'function', function: { name: 'get_weather', parameters: { type: 'object', properties: { city: { type: 'string' } }, required: ['city'] } } }]);

/** Checks that the page shows a tool call with its arguments, and continues the conversation with its result. */
export async function callsTools(page: Page, format: Format): Promise<void> {
  await openPlayground(page, MODEL, format);
  await page.getByLabel('Tools (JSON)').fill(TOOLS);
  await write(page, 'What is the weather? [[tool]]');
  await sendButton(page).click();
  const call = newestTurn(page);
  await shown(call.getByText('Calls get_weather'));
  await shown(call.getByText(/^\{"city":.*\}$/));
  await shown(call.getByRole('link', { name: 'View charge' }));
  await page.getByLabel('Result of get_weather').fill('Sunny, 21 degrees');
  await sendButton(page).click();
  const reply = newestTurn(page);
  await shown(reply.getByText(/The tools answered: .*Sunny, 21 degrees/));
  await viewCharge(page, reply, 'Completed');
}

/** Checks that a reply that breaks off shows the error in addition to its text and charge. */
export async function fails(page: Page, format: Format): Promise<void> {
  await openPlayground(page, MODEL, format);
  await write(page, 'Hello. [[reasoning:0]] [[tokens:30]] [[fail:middle]]');
  await sendButton(page).click();
  const reply = newestTurn(page);
  await shown(reply.getByRole('alert').getByText(/The request ended early\. See what was charged\.$/));
  assert.ok((await reply.getByRole('paragraph').first().innerText()).length > 20, 'what came before the failure stays');
  const charged = await finalCharge(page);
  const { end_reason: ending, svc_tokens_debited: debited } = await viewCharge(page, reply, 'Model failed');
  assert.deepEqual([ending, charged], ['provider_failed', debited]);
}
