import { strict as assert } from 'node:assert';
import { type Instant, MILLISECONDS_PER_DAY, type ModelSlug, type PlanId, ServiceTokens, SYSTEM_ACTOR } from '@tollgate/core';
import { services } from '@tollgate/gateway';
import type { Page } from 'playwright-core';
import { Clicks } from '../driver/hand.js';
import { shown } from '../driver/page-states.js';
import { PASSWORD, passDays, type Resident, type World } from '../world/open-world.js';
import { enter } from '../driver/watched-page.js';
import type { Check, CheckContext } from './check.js';

const SMALLEST_TEXT = 20;
const PRO = 'pro' as PlanId;
const TINY = 'tiny' as PlanId;

function model(name: string, prompt: string, output: string): object {
  return { display_name: name, context_window: '128000', max_output_tokens: '8192', price: { prompt, output }, targets: [{ upstream: 'sandbox', model: 'sandbox-small' }] };
}

/** A catalogue in which one reply of Cedar Research costs more than fifty dollars. */
const CATALOGUE = {
  usd_per_service_token: '0.001', minimum_reservation: '1', upstreams: { sandbox: { kind: 'sandbox' } },
  models: { 'aster-small': model('Aster Small', '500', '1500'), 'birch-code': model('Birch Code', '3000', '12000'), 'cedar-research': model('Cedar Research', '2000000', '60000000') },
  plans: {
    pro: { requests_per_minute: '300', tokens_per_minute: '100000000', max_context_tokens: '128000', active_keys: '100' },
    tiny: { name: 'Tiny', requests_per_minute: '1', tokens_per_minute: '1000000', concurrent_requests: '5', max_context_tokens: '128000', active_keys: '10' },
  },
};

interface Asked {
  readonly secret: string;
  readonly model: string;
  readonly text: string;
}

/** Sends a request and reads the whole reply; returns the status. */
async function ask({ gateway }: World, { secret, model: name, text }: Asked): Promise<number> {
  const reply = await fetch(`${gateway.url}/v1/chat/completions`, {
    method: 'POST', headers: { authorization: `Bearer ${secret}`, 'content-type': 'application/json' },
    body: JSON.stringify({ model: name, max_tokens: 8_000, stream: true, messages: [{ role: 'user', content: text }] }),
  });
  await reply.text();
  return reply.status;
}

interface KeyTerms {
  readonly name: string;
  readonly models?: ReadonlySet<ModelSlug>;
  readonly limit?: { readonly amount: ServiceTokens; readonly period: 'month' };
}

async function addKey(context: CheckContext, { accountId }: Resident, terms: KeyTerms): Promise<string> {
  const { gateway } = context.world;
  const made = await gateway.keyManagement.create({ accountId, plan: gateway.container.get(services.catalogue).current().planInForce(PRO), expiresAt: null, actor: SYSTEM_ACTOR, ...terms });
  assert.ok(made.outcome === 'created', made.outcome);
  const secret = made.issued.secret.reveal();
  context.record.addSecret('key', secret);
  return secret;
}

/** The reason for which a customer is refused, and the action that the page offers for it. */
interface Refused {
  readonly name: string;
  readonly reason: string;
  readonly act: string;
  /** What the page shows after the click on `act`. */
  readonly shows: RegExp;
}

const REFUSED: readonly Refused[] = [
  { name: 'Kestrel Ltd', reason: 'The key is blocked', act: 'See the keys', shows: /Blocked/ },
  { name: 'Linden AG', reason: 'Too little credit for the request', act: 'Credit', shows: /Available afterwards/ },
  { name: 'Marlow Studio', reason: 'The key’s spending limit leaves too little', act: 'See the keys', shows: /assistant/ },
  { name: 'Nordic Foods', reason: 'The key does not allow the model', act: 'See the keys', shows: /recipes/ },
  { name: 'Orchid Labs', reason: 'Too many requests a minute', act: 'See the limits', shows: /Requests a minute/ },
];

async function refuse(context: CheckContext): Promise<void> {
  const { world } = context;
  const customer = (name: string, credit: string) => context.owner({ email: `team@${name.split(' ')[0]?.toLowerCase() ?? ''}.example`, name, credit });
  const [kestrel, linden, marlow, nordic, orchid] = [await customer('Kestrel Ltd', '1000'), await customer('Linden AG', '0.5'), await customer('Marlow Studio', '1000'), await customer('Nordic Foods', '1000'), await customer('Orchid Labs', '1000')];
  const [key] = await world.gateway.keyManagement.list(kestrel.accountId);
  assert.ok(key !== undefined);
  await world.gateway.container.get(services.operations).blocklist.block({ target: { kind: 'key', subject: key.id }, terms: { reason: 'It is public.', expiresAt: null }, actor: SYSTEM_ACTOR });
  await world.gateway.accountAdministration.change(orchid.accountId, { planId: TINY }, SYSTEM_ACTOR);
  const [limited, narrow] = [
    await addKey(context, marlow, { name: 'assistant', limit: { amount: ServiceTokens.parse('0.5'), period: 'month' } }),
    await addKey(context, nordic, { name: 'recipes', models: new Set(['aster-small' as ModelSlug]) }),
  ];
  const [small, text] = ['aster-small', 'Hello.'];
  const statuses = [
    await ask(world, { secret: kestrel.secret, model: small, text }), await ask(world, { secret: linden.secret, model: small, text }), await ask(world, { secret: limited, model: small, text }),
    await ask(world, { secret: narrow, model: 'birch-code', text }), await ask(world, { secret: orchid.secret, model: small, text }), await ask(world, { secret: orchid.secret, model: small, text }),
  ];
  assert.deepEqual(statuses, [403, 402, 429, 403, 200, 429]);
}

/** Counts the clicks and the filled fields of one task. */
class Task {
  readonly clicks = new Clicks();
  fields = 0;

  constructor(private readonly page: Page) {}

  async write(label: string, text: string): Promise<void> {
    this.fields += 1;
    await this.page.getByLabel(label, { exact: true }).fill(text);
  }

  async choose(field: string, option: string): Promise<void> {
    await this.clicks.on(this.page.getByRole('combobox', { name: field, exact: true }));
    await this.clicks.on(this.page.getByRole('option', { name: option }));
  }

  /** Opens the palette and types the name at once, before the list of results has loaded. */
  async find(name: string): Promise<void> {
    this.fields += 1;
    await this.clicks.on(this.page.getByRole('button', { name: /^Search, or/ }));
    await this.page.keyboard.type(name);
    await shown(this.page.locator('[data-action][data-selected]').filter({ hasText: name }).filter({ hasNotText: 'Search customers' }));
    await this.page.keyboard.press('Enter');
    await this.page.waitForURL(/operator\/accounts\/acct_/);
  }

  expect(bounds: { readonly clicks: number; readonly fields: number }): void {
    assert.deepEqual({ clicks: this.clicks.made, fields: this.fields }, bounds);
  }
}

async function findsCost(page: Page): Promise<void> {
  const task = new Task(page);
  await task.clicks.on(page.getByRole('link', { name: 'yesterday, the whole day' }));
  const cost = page.getByRole('region', { name: 'Cost' });
  await task.clicks.on(cost.getByRole('link', { name: 'Birch Code' }));
  await shown(cost.getByRole('listitem').filter({ hasText: 'nightly batch' }).getByRole('button', { name: /^\$/ }));
  await shown(page.getByRole('table', { name: 'Requests' }).getByText(/nightly batch/));
  task.expect({ clicks: 2, fields: 0 });
}

async function limitsKey(page: Page): Promise<void> {
  const task = new Task(page);
  await page.goto('/dashboard/overview');
  await task.clicks.on(page.getByRole('link', { name: 'Create key' }));
  await task.write('Name', 'five dollars');
  await task.choose('Models', 'Aster Small');
  await page.keyboard.press('Escape');
  await task.choose('Spending limit', 'Per month (UTC)');
  await task.write('At most', '5');
  await task.clicks.on(page.getByRole('button', { name: 'Create', exact: true }));
  await shown(page.getByRole('dialog', { name: 'Key “five dollars” created' }));
  task.expect({ clicks: 6, fields: 2 });
  await page.goto('/dashboard/keys');
  await shown(page.getByRole('row', { name: /five dollars.*(?:5,000|\$5\.00).*Aster Small/ }));
}

async function givesBack(page: Page): Promise<void> {
  const task = new Task(page);
  await task.find('Rocket');
  await task.clicks.on(page.getByRole('tab', { name: 'Requests' }));
  await task.clicks.on(page.getByRole('row', { name: /Model failed/ }).getByRole('button', { name: /^Refund/ }));
  await task.write('Amount', '50');
  await task.write('Reason', 'The model failed.');
  await task.clicks.on(page.getByRole('button', { name: 'Refund $50.00' }));
  await shown(page.getByText('Refunded $50.00 (50,000 service tokens).'));
  task.expect({ clicks: 4, fields: 3 });
}

async function comparesModels(page: Page): Promise<void> {
  const task = new Task(page);
  await page.goto('/dashboard/overview');
  await task.clicks.on(page.getByRole('link', { name: 'Playground' }));
  await task.clicks.on(page.getByRole('button', { name: 'Compare', exact: true }));
  await task.write('Message', 'What is a toll gate?');
  await page.keyboard.press('Enter');
  await shown(page.getByText(/was cheaper: the other model cost [\d.]+ times as much\./));
  const chosen = page.getByRole('radiogroup', { name: 'Settings of' });
  const { height } = await chosen.boundingBox() ?? { height: 0 };
  assert.ok(height > SMALLEST_TEXT, 'whose settings are shown can be read');
  task.expect({ clicks: 2, fields: 1 });
}

async function explainsRefusals(page: Page): Promise<void> {
  for (const { name, reason, act, shows } of REFUSED) {
    const task = new Task(page);
    await task.find(name);
    const line = page.getByRole('region', { name: 'Why requests were refused, 24 h' }).getByRole('listitem').filter({ hasText: reason });
    await task.clicks.on(line.getByRole('link', { name: act }).or(line.getByRole('button', { name: act })));
    await shown(page.locator('main, [role="dialog"]').getByText(shows));
    task.expect({ clicks: 2, fields: 1 });
    await page.keyboard.press('Escape');
  }
}

async function doesTasks(context: CheckContext): Promise<void> {
  const { world } = context;
  const { clock } = world;
  const owner = await context.owner({ name: 'Ada' });
  const nightly = await addKey(context, owner, { name: 'nightly batch' });
  const now = clock.now();
  clock.set((now - MILLISECONDS_PER_DAY) as Instant);
  await ask(world, { secret: nightly, model: 'birch-code', text: 'Mend it. [[tokens:3000]]' });
  await ask(world, { secret: owner.secret, model: 'aster-small', text: 'Hello.' });
  clock.set(now);
  const rocket = await context.owner({ email: 'lena@science.example', name: 'Rocket Science GmbH' });
  await passDays(world, rocket, { days: 1, models: ['aster-small'] });
  await ask(world, { secret: rocket.secret, model: 'cedar-research', text: 'Prove it. [[tokens:3200]] [[fail:middle]]' });
  await refuse(context);
  const { page } = await context.signedIn(owner);
  await findsCost(page);
  await limitsKey(page);
  await comparesModels(page);
  const operator = await context.operator();
  const { page: theirs } = await context.page();
  await enter(theirs, operator.email, PASSWORD);
  await theirs.waitForURL(/operator\/overview/);
  await givesBack(theirs);
  await explainsRefusals(theirs);
}

export const fiveTasks: Check = {
  number: 47, title: 'Five tasks take no more clicks and fields than needed: why yesterday cost what it did, a key for five dollars a month, fifty dollars back, two models compared, and why five customers are refused',
  run: (context) => context.apart(doesTasks, { catalogue: CATALOGUE, environment: { SIGNUP_CREDIT: '0' } }),
};
