import { strict as assert } from 'node:assert';
import type { Page } from 'playwright-core';
import { MILLISECONDS_PER_HOUR, type PlanId, ServiceTokens, SYSTEM_ACTOR } from '@tollgate/core';
import { services } from '@tollgate/gateway';
import { statusOfPlayground } from '../driver/dashboard-api.js';
import { gone, heading, shown } from '../driver/page-states.js';
import { until } from '../driver/wait.js';
import { type Resident, sendRequest, type World } from '../world/open-world.js';
import type { Check, CheckContext } from './check.js';

async function statusWith({ gateway }: World, secret: string): Promise<number> {
  const response = await fetch(`${gateway.url}/v1/chat/completions`, {
    method: 'POST', headers: { authorization: `Bearer ${secret}`, 'content-type': 'application/json' }, body: JSON.stringify({ model: 'sandbox-small', messages: [{ role: 'user', content: 'Hello.' }] }),
  });
  await response.arrayBuffer();
  return response.status;
}

async function createsKey(page: Page, who: string): Promise<string> {
  await page.getByRole('button', { name: 'Create key', exact: true }).click();
  const form = page.getByRole('dialog', { name: `Create a key for ${who}` });
  await form.getByLabel('Name', { exact: true }).fill('handed over');
  await form.getByLabel('Spending limit').click();
  await page.getByRole('option', { name: 'Per month (UTC)' }).click();
  await form.getByLabel('At most', { exact: true }).fill('5');
  await form.getByRole('button', { name: 'Create key', exact: true }).click();
  const issued = page.getByRole('dialog', { name: 'Key “handed over” created' });
  const secret = (await issued.getByLabel('Key', { exact: true }).innerText()).trim();
  await issued.getByRole('checkbox', { name: 'I have stored the key' }).check();
  await issued.getByRole('button', { name: 'Done' }).click();
  await gone(issued);
  return secret;
}

async function helpsCustomer(context: CheckContext): Promise<void> {
  const owner = await context.owner();
  const { page } = await context.signedIn(await context.operator());
  await page.goto(`/dashboard/operator/accounts/${owner.accountId}?tab=keys`);
  const secret = await createsKey(page, owner.email);
  context.record.addSecret('key', secret);
  assert.equal(await statusWith(context.world, secret), 200);
  await page.getByRole('button', { name: 'Actions on key handed over' }).click();
  await page.getByRole('menuitem', { name: 'Edit key' }).click();
  const edit = page.getByRole('dialog', { name: 'Edit “handed over”' });
  await edit.getByLabel('At most', { exact: true }).fill('0.000001');
  await edit.getByRole('button', { name: 'Save changes' }).click();
  await shown(page.getByText('Key “handed over” is changed.'));
  assert.equal(await statusWith(context.world, secret), 429);
  await page.reload();
  await shown(page.getByRole('row', { name: /handed over .*Limit reached .* a month/ }));
  await page.getByRole('button', { name: 'More' }).click();
  await page.getByRole('menuitem', { name: 'Change name' }).click();
  const rename = page.getByRole('dialog', { name: `Change the name of ${owner.email}` });
  await rename.getByLabel('Name of the account').fill('Rocket GmbH');
  await rename.getByRole('button', { name: 'Change name' }).click();
  await shown(heading(page, 'Rocket GmbH'));
  const own = await context.signedIn(owner);
  await own.page.goto('/dashboard/activity');
  await shown(own.page.getByRole('row', { name: /Key created handed over …\w{4} The operator/ }));
}

export const customerKeys: Check = { number: 40, title: 'An operator creates a limited key for a customer, changes its limit and renames the account; the owner sees who did it', run: helpsCustomer };

const KEYS = 150;
const KEYS_AN_HOUR = 20;

/** Creates many keys and revokes them, because most keys of an old account are revoked. */
async function fillWithKeys({ gateway, clock }: World, { accountId }: Resident): Promise<void> {
  const plan = gateway.container.get(services.catalogue).current().planInForce('' as PlanId);
  for (let made = 0; made < KEYS; made += 1) {
    if (made % KEYS_AN_HOUR === 0) clock.advance(MILLISECONDS_PER_HOUR + 1);
    const outcome = await gateway.keyManagement.create({ accountId, plan, name: `spare ${made}`, expiresAt: null, actor: SYSTEM_ACTOR });
    assert.equal(outcome.outcome, 'created');
    if (outcome.outcome === 'created') await gateway.keyManagement.revoke(accountId, outcome.issued.key.id, SYSTEM_ACTOR);
  }
}

async function namesKeys(context: CheckContext): Promise<void> {
  await context.apart(async (apart) => {
    const owner = await apart.owner({ keyName: 'oldest key' });
    await sendRequest(apart.world, owner, { model: 'sandbox-small', tokens: 40, isMessages: false });
    await fillWithKeys(apart.world, owner);
    const { page } = await apart.signedIn(owner);
    const name = `oldest key …${owner.secret.slice(-4)}`;
    await page.goto('/dashboard/usage?group=key');
    await shown(page.getByRole('table', { name: 'Requests' }).getByText(name));
    await until('the legend of the chart to name the key', async () => await page.getByText(name).count() > 1);
    assert.equal(await statusOfPlayground(page), 200);
    await page.reload();
    await shown(page.getByRole('table', { name: 'Requests' }).getByText('Playground', { exact: true }));
    const filter = page.getByRole('combobox', { name: 'Key' });
    await filter.fill('OLDEST');
    await page.getByRole('option', { name }).click();
    await page.waitForURL(/key_id=key_/);
    await gone(page.getByRole('table', { name: 'Requests' }).getByText('Playground', { exact: true }));
    await page.reload();
    await until('the filter to show the name', async () => await filter.inputValue() === name);
    const operating = (await apart.signedIn(await apart.operator())).page;
    await operating.goto('/dashboard/operator/usage');
    await operating.getByRole('combobox', { name: 'Key' }).fill('OLDEST');
    await operating.getByRole('option', { name }).click();
    await operating.waitForURL(/key_id=key_/);
    await operating.goto(`/dashboard/operator/accounts/${owner.accountId}?tab=requests`);
    await shown(operating.getByText(name).first());
    await operating.goto(`/dashboard/operator/audit?account=${owner.accountId}&action=key.created`);
    await shown(operating.getByText(/spare 149 …/).first());
    await operating.goto('/dashboard/operator/live');
    await shown(operating.getByText('Playground', { exact: true }).first());
    await page.goto('/dashboard/activity');
    await page.getByRole('main').getByRole('link', { name: 'Playground' }).first().click();
    await shown(heading(page, 'Playground'));
    await shown(page.getByText('It has no secret'));
    await page.getByRole('link', { name: 'Show requests' }).click();
    await shown(page.getByRole('table', { name: 'Requests' }).getByText('Playground', { exact: true }));
  });
}

export const keyNames: Check = { number: 41, title: 'Usage, chart, filters and activity name the oldest of 151 keys and that of the playground, which has a page; operators find it by name, and read it in requests, audit log and Live', run: namesKeys };

async function showsBookings(context: CheckContext): Promise<void> {
  const owner = await context.owner();
  const { accountAdministration } = context.world.gateway;
  const act = { accountId: owner.accountId, actor: SYSTEM_ACTOR };
  await accountAdministration.credit({ ...act, amount: ServiceTokens.parse('12.5'), reference: 'invoice 77', reason: 'Paid by transfer' });
  await accountAdministration.book({ ...act, kind: 'correction', direction: 'lower', amount: ServiceTokens.parse('2.25'), reference: 'correction 78', reason: 'Booked twice' });
  const { page } = await context.signedIn(owner);
  for (const path of ['/activity', '/billing']) {
    await page.goto(`/dashboard${path}`);
    for (const [amount, reference, reason] of [['12.5', 'invoice 77', 'Paid by transfer'], ['2.25', 'correction 78', 'Booked twice']] as const) {
      await shown(page.getByRole('row').filter({ hasText: reference }).filter({ hasText: reason }).filter({ hasText: amount }));
    }
  }
}

export const bookings: Check = { number: 42, title: 'An owner sees amount, reference and reason of a credit and a correction in Activity and in Billing', run: showsBookings };
