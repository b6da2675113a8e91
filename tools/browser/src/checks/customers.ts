import { strict as assert } from 'node:assert';
import { ServiceTokens, SYSTEM_ACTOR } from '@tollgate/core';
import type { Page } from 'playwright-core';
import { until } from '../driver/wait.js';
import { gone, shown } from '../driver/page-states.js';
import { passDays, type Resident, type World } from '../world/open-world.js';
import type { Check, CheckContext } from './check.js';

/** Addresses in the rows of the list of customers. */
async function listed(page: Page): Promise<readonly string[]> {
  const rows = await page.getByRole('table', { name: 'Customers' }).getByRole('row').evaluateAll((found) => found.slice(1).map((row) => row.textContent));
  return rows.map((text) => /^\S+?\.example/u.exec(text)?.[0] ?? text);
}

async function expectListed(page: Page, emails: readonly string[]): Promise<void> {
  await until(`the list to be ${emails.join(', ')}`, async () => (await listed(page)).join(' ') === emails.join(' '));
}

/** Searches in the palette, and opens the entry of this name. */
async function find(page: Page, text: string, name: RegExp): Promise<void> {
  await page.getByRole('button', { name: /^Search, or paste/ }).click();
  await page.getByPlaceholder(/or paste an id$/).fill(text);
  await page.getByRole('button', { name }).or(page.getByRole('option', { name })).first().click();
}

async function findsCustomers(context: CheckContext): Promise<void> {
  const [poor, rich] = [await context.owner({ email: 'sue@rocket.example', name: 'Sue', credit: '7', keyName: 'Terminal of Sue' }), await context.owner({ email: 'ben@example.example', name: 'R\u00f6cket GmbH', credit: '90' })];
  const { page } = await context.signedIn(await context.operator());
  await page.waitForURL(/operator\/overview$/);
  await page.goto('/dashboard/operator/accounts');
  const search = page.getByRole('searchbox');
  await search.fill('CKET');
  await expectListed(page, [poor.email, rich.email]);
  await page.getByRole('combobox', { name: 'Sort by' }).click();
  await page.getByRole('option', { name: 'Most available' }).click();
  await expectListed(page, [rich.email, poor.email]);
  // A sign-up gets 1000 service tokens, which are worth a dollar.
  await page.getByRole('combobox', { name: 'Unit' }).waitFor();
  await page.getByLabel('Available below').fill('1.05');
  await page.getByLabel('Available below').press('Enter');
  await expectListed(page, [poor.email]);
  await page.reload();
  await expectListed(page, [poor.email]);
  await page.getByLabel('Available below').fill('');
  await page.getByLabel('Available below').press('Enter');
  await search.fill('R\u00d6CKET');
  await expectListed(page, [rich.email]);
  await find(page, 'r\u00f6ck', /R\u00f6cket GmbH/);
  await page.waitForURL(/operator\/accounts\/acct_/);
  await shown(page.getByText(rich.email).first());
  await find(page, 'TERMINAL OF S', /Terminal of Sue/);
  await page.waitForURL(/operator\/usage\?.*key_id=key_/);
  await find(page, 'x Reasoner', /Sandbox Reasoner/);
  await page.waitForURL(/models\/sandbox-reasoner/);
}

export const customerSearch: Check = {
  number: 32, title: 'An operator finds a customer by a part of the name, filters and orders the list, and finds the customer, a key and a model by name in the palette', run: findsCustomers,
};

interface Both {
  readonly svc_tokens: string;
}

const PLACES = 6;
/** Days on which the account has spent, including the current one. */
const DAYS_OF_USE = 4;
const DAYS_LEFT = 2.5;
const REFUSED = 'Your requests are refused for lack of credit.';

function keyOf(page: Page): Promise<string> {
  return page.evaluate(async () => ((await (await fetch('/dashboard/api/keys')).json()) as { readonly data: readonly { readonly id: string }[] }).data[0]?.id ?? '');
}

/** Lowers the balance to what `DAYS_LEFT` days cost at the pace of the last days. */
async function lowerBalance({ gateway }: World, { accountId }: Resident, page: Page): Promise<void> {
  const { available, spent } = await page.evaluate(async () => {
    const { account, spend } = await (await fetch('/dashboard/api/overview')).json() as { readonly account: { readonly balance: { readonly available: Both } }; readonly spend: { readonly last_7_days: Both } };
    return { available: account.balance.available.svc_tokens, spent: spend.last_7_days.svc_tokens };
  });
  const left = Number(spent) / DAYS_OF_USE * DAYS_LEFT;
  const amount = ServiceTokens.parse((Number(available) - left).toFixed(PLACES));
  await gateway.accountAdministration.book({ accountId, actor: SYSTEM_ACTOR, kind: 'correction', direction: 'lower', amount, reference: 'lower', reason: 'for the check' });
}

async function tellsOfRefusals(context: CheckContext): Promise<void> {
  await context.apart(async (apart) => {
    const spent = await apart.owner({ credit: '0.000001' });
    const { page } = await apart.signedIn(spent);
    for (const path of ['', '/keys', `/keys/${await keyOf(page)}`, '/usage', '/models']) {
      await page.goto(`/dashboard${path}`);
      await shown(page.getByText(REFUSED));
    }
    await page.goto('/dashboard');
    await shown(page.getByText('Not enough for a request'));
    await page.getByRole('link', { name: 'Add credit' }).click();
    await page.waitForURL(/billing/);
    const fresh = await apart.owner();
    const { page: overview } = await apart.signedIn(fresh);
    await gone(overview.getByText(REFUSED));
    await passDays(apart.world, fresh, { days: 1 });
    await overview.reload();
    await shown(overview.getByText('Known after 3 days of use within 7'));
    assert.equal(await overview.getByText(/about \d+ (?:days|months|years)/).count(), 0);
    await passDays(apart.world, fresh, { days: 3 });
    await overview.reload();
    await shown(overview.getByText(/(?:about|more than) [\d,]+ (?:days|months|years)/));
    await lowerBalance(apart.world, fresh, overview);
    await overview.goto('/dashboard/models');
    await shown(overview.getByText('Your requests will be refused in about 2 days for lack of credit.'));
  }, { environment: { SIGNUP_CREDIT: '0' } });
}

export const balanceOutlook: Check = {
  number: 33, title: 'Every page warns that the balance pays for no request, or will not in about how many days; the forecast needs three days of use', run: tellsOfRefusals,
};
