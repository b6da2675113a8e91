import { PAGE_SIZES } from '@tollgate/core';
import { strict as assert } from 'node:assert';
import type { Locator, Page } from 'playwright-core';
import { shown } from '../driver/page-states.js';

export interface AmountView {
  readonly path: string;
  readonly act?: (page: Page) => Promise<unknown>;
  /** Where the replies contain the shown amounts: routes, and paths within their replies. */
  readonly shows: readonly (readonly [route: string, ...parts: readonly string[]])[];
}

function asTable(page: Page): Promise<void> {
  return page.getByRole('button', { name: 'View as table' }).click();
}

async function press(page: Page, name: string): Promise<void> {
  await page.getByRole('button', { name, exact: true }).first().click();
  await shown(page.getByRole('dialog'));
}

const RECORD = ['charge.lines.*.amount', 'charge.sum', 'charge.rounding', 'charge.debited', 'charge.usd', 'ledger.*.amount', 'reserved'] as const;

interface Spending {
  readonly accountId: string;
  readonly keyId: string;
  /** Ids of requests, the most expensive first. */
  readonly requests: readonly string[];
}

function summary(root: string, groupBy: string): string {
  return `${root}/summary?start=${new Date().toISOString().slice(0, 10)}&group_by=${groupBy}`;
}

function usageAmountViews(root: string, requests: readonly string[]): readonly AmountView[] {
  return [
    { path: root, shows: [[`${root}?limit=${PAGE_SIZES.usage.dashboard.most}`, 'data.*.svc_cost_usd'], [summary(root, 'day,model'), 'total.svc_tokens_debited', 'total.svc_cost_usd']] },
    { path: `${root}?view=table`, shows: [[summary(root, 'day,model'), 'data.*.svc_tokens_debited']] },
    { path: root, act: (page) => press(page, 'Export'), shows: [[summary(root, 'day,model'), 'total.svc_tokens_debited', 'total.svc_cost_usd']] },
    { path: `${root}?record=${requests[0] ?? ''}`, shows: [[`${root}/${requests[0] ?? ''}`, ...RECORD]] },
    ...requests.map((id): AmountView => ({ path: `${root}/${id}`, shows: [[`${root}/${id}`, ...RECORD]] })),
  ];
}

export function ownerAmountViews({ requests, keyId }: Spending): readonly AmountView[] {
  const key = ['spent.svc_tokens', 'spending_limit.svc_tokens'] as const;
  return [
    { path: '/overview', shows: [['/overview', 'account.balance.available', 'spend.today', 'spend.month', 'spend.last_7_days.svc_tokens']] },
    { path: '/overview', act: asTable, shows: [['/overview', 'days.*.charged.svc_tokens']] },
    ...usageAmountViews('/usage', requests),
    { path: '/usage?group=user', shows: [[summary('/usage', 'user'), 'data.*.svc_tokens_debited']] },
    { path: '/keys', shows: [['/keys', ...key.map((part) => `data.*.${part}`)]] },
    { path: '/keys', act: (page) => chooseInSheet(page, 'Edit'), shows: [] },
    { path: `/keys/${keyId}`, shows: [[`/keys/${keyId}`, ...key], ['/account', 'balance.available.svc_tokens']] },
    { path: `/keys/${keyId}`, act: asTable, shows: [[`/keys/${keyId}`, 'spent.svc_tokens']] },
    { path: '/billing', shows: [['/account', 'balance.available', 'balance.reserved'], ['/money-acts', 'data.*.svc_tokens']] },
    { path: '/account', shows: [['/account', 'balance.available', 'balance.reserved', 'balance.total']] },
    { path: '/account?tab=notifications', shows: [['/notifications', 'alert_thresholds_in_force']] },
    { path: '/account?tab=deletion', act: (page) => press(page, 'Delete account'), shows: [['/account', 'balance.total.svc_tokens']] },
    { path: '/models', shows: [] },
    { path: '/models/huge', shows: [] },
    { path: '/playground?try=1&model=huge', act: send, shows: [['/usage?limit=1', 'data.*.svc_tokens_debited']] },
  ];
}

async function chooseInSheet(page: Page, action: string): Promise<void> {
  await page.getByRole('button', { name: 'Actions for “first key”' }).click();
  await page.getByRole('dialog').getByRole('button', { name: action }).click();
  await shown(page.getByRole('dialog', { name: new RegExp(action) }));
}

async function send(page: Page): Promise<void> {
  await page.getByRole('button', { name: 'Send', exact: true }).click();
  await shown(page.getByRole('link', { name: 'View charge' }));
}

/** Selects service tokens as the unit. In dollars, six decimal places cannot express every amount. */
async function inTokens(form: Locator): Promise<void> {
  await shown(form.getByLabel('Unit'));
  for (const unit of await form.getByLabel('Unit').all()) await unit.selectOption('svc');
}

async function fillMoney(page: Page, button: string, fields: Readonly<Record<string, string>>): Promise<void> {
  await press(page, button);
  await fillIn(page.getByRole('dialog'), fields);
}

async function fillIn(form: Locator, fields: Readonly<Record<string, string>>): Promise<void> {
  await inTokens(form);
  for (const [label, text] of Object.entries(fields)) await form.getByLabel(label, { exact: true }).fill(text);
}

async function chooseMore(page: Page, action: string): Promise<void> {
  await page.getByRole('button', { name: 'More', exact: true }).click();
  await page.getByRole('menuitem', { name: action }).click();
  await shown(page.getByRole('dialog'));
}

async function lower(page: Page): Promise<void> {
  await chooseMore(page, 'Correct balance');
  const form = page.getByRole('dialog');
  await form.getByText('Lower', { exact: true }).click();
  await inTokens(form);
  for (const label of ['Amount', 'Amount, again']) await form.getByLabel(label, { exact: true }).fill('900719925474.740993');
}

async function refund(page: Page, requestId: string): Promise<void> {
  await press(page, 'Refund');
  const form = page.getByRole('dialog');
  await form.getByRole('combobox', { name: 'Request', exact: true }).fill(requestId);
  await fillIn(form, { Amount: '0.000001', Reference: 'refund 1', Reason: 'A model answered badly' });
  await shown(page.getByRole('dialog').getByText('Charged'));
}

async function confirmRefund(page: Page, requestId: string): Promise<void> {
  await refund(page, requestId);
  await page.getByRole('dialog').getByRole('button', { name: 'Refund $0.000000001' }).click();
  await shown(page.getByText('Refunded $0.000000001 (0.000001 service tokens).'));
}

export function operatorAmountViews({ accountId, requests }: Spending): readonly AmountView[] {
  const [dear = ''] = requests;
  const account = `/operator/accounts/${accountId}`;
  const available: AmountView['shows'][number] = [account, 'balance.available.svc_tokens'];
  return [
    { path: '/operator/overview', shows: [[`${summary('/operator/usage', 'account')}&top=5`, 'data.*.svc_tokens_debited', 'total.svc_cost_usd']] },
    { path: '/operator/accounts', shows: [['/operator/accounts', 'data.*.balance.available.svc_tokens']] },
    { path: account, shows: [[account, 'balance.available', 'balance.reserved'], [`${account}/ledger`, 'data.*.svc_tokens']] },
    { path: `${account}?tab=requests`, shows: [[`/operator/usage?account=${accountId}`, 'data.*.svc_cost_usd']] },
    { path: `${account}?tab=keys`, shows: [[`${account}/keys`, 'data.*.spent.svc_tokens', 'data.*.spending_limit.svc_tokens']] },
    { path: `${account}?tab=limits`, shows: [[account, 'alert_thresholds_in_force']] },
    { path: `${account}?tab=owner`, shows: [[account, 'balance.available']] },
    { path: account, act: (page) => fillMoney(page, 'Credit', { Amount: '900719925474.740993' }), shows: [available] },
    { path: account, act: (page) => refund(page, dear), shows: [available, [`/operator/usage/${dear}`, 'svc_tokens_debited']] },
    { path: account, act: lower, shows: [available] },
    { path: account, act: (page) => chooseMore(page, 'Delete account now'), shows: [available] },
    ...usageAmountViews('/operator/usage', requests),
  ];
}

/** Views in which amounts change while an operator watches. */
export function changingAmountViews({ accountId, requests: [dear = ''] }: Spending, spendAgain: () => Promise<void>): readonly AmountView[] {
  const account = `/operator/accounts/${accountId}`;
  const seeCharge = async (page: Page): Promise<void> => {
    await shown(page.getByText('Connected', { exact: true }));
    await spendAgain();
    await page.getByRole('list').or(page.getByRole('table')).getByText('9,007,199,254.740993').first().waitFor();
  };
  return [
    { path: '/operator/live', act: seeCharge, shows: [['/operator/usage?limit=3', 'data.*.svc_tokens_debited']] },
    { path: account, act: (page) => confirmRefund(page, dear), shows: [[account, 'balance.available.svc_tokens'], [`${account}/ledger`, 'data.*.svc_tokens']] },
  ];
}

/** The text without grouping and currency, and with an ASCII minus. */
function plain(text: string): string {
  return text.replaceAll(/[,$\s]/g, '').replace('−', '-');
}

/** True if the text is the amount digit for digit, apart from trailing zeros, which align the decimals of a column. */
function isExact(text: string, amount: string): boolean {
  const written = plain(text);
  return written.startsWith(amount) && /^\.?0*$/.test(written.slice(amount.length)) && !(amount.includes('.') && written.slice(amount.length).includes('.'));
}

const PLACES = 18;
const CENT = 10n ** BigInt(PLACES - 2);

function unitsOf(amount: string): bigint {
  const [whole = '', fraction = ''] = amount.replace('-', '').split('.');
  return BigInt(whole + fraction.padEnd(PLACES, '0'));
}

/** True if the text is the amount rounded to cents or, below one cent, to two significant digits. */
function isRounded(text: string, amount: string): boolean {
  const written = plain(text);
  const [exact, seen] = [unitsOf(amount), unitsOf(written)];
  const step = exact >= CENT || exact === 0n ? CENT : 10n ** BigInt(Math.max(exact.toString().length - 2, 0));
  const difference = exact > seen ? exact - seen : seen - exact;
  return written.startsWith('-') === amount.startsWith('-') && difference * 2n <= step && (seen === 0n) === (exact === 0n);
}

/** Resolves with the exact amounts below an element. Rejects unless each is shown digit for digit, or correctly rounded where the page rounds. */
export async function exactAmounts(below: Locator): Promise<readonly string[]> {
  const found = await below.locator('[data-amount]').evaluateAll((elements) =>
    elements.map((element) => ({ amount: element.getAttribute('data-amount') ?? '', text: element.textContent, rounded: element.hasAttribute('data-rounded') })));
  for (const { amount, text, rounded } of found) assert.ok(rounded ? isRounded(text, amount) : isExact(text, amount), `${amount} is written as ${text}`);
  return found.map(({ amount }) => amount);
}

/** Like `exactAmounts`, but resolves with the service tokens of amounts that are shown in dollars. */
export async function exactTokens(below: Locator): Promise<readonly string[]> {
  await exactAmounts(below);
  return below.locator('[data-amount]').evaluateAll((elements) => elements.map((element) => element.getAttribute('data-tokens') ?? element.getAttribute('data-amount') ?? ''));
}
