import { strict as assert } from 'node:assert';
import type { Page } from 'playwright-core';
import type { Resident, World } from '../world/open-world.js';
import type { Check, CheckContext } from './check.js';
import { heading, shown } from '../driver/page-states.js';
import { changingAmountViews, exactAmounts, operatorAmountViews, ownerAmountViews, type AmountView } from './amount-places.js';
import type { WatchedPage } from '../driver/watched-page.js';
import { openPricedModels, type PricedModel } from '../world/fixtures.js';
import { amountFaults, amountsIn } from './amount-layout.js';

interface Receipt {
  readonly requestId: string;
  readonly tokens: string;
  readonly dollars: string;
}

interface Figures {
  readonly svc_tokens_debited: string;
  readonly svc_cost_usd: string;
}

interface UsageRecord extends Figures {
  readonly ended_at: string;
}

const PROMPT = 'Hello. [[reasoning:30]] [[tokens:77]] [[cached:3]]';

async function post(url: string, headers: Readonly<Record<string, string>>, body: object): Promise<Response> {
  const response = await fetch(url, { method: 'POST', headers: { ...headers, 'content-type': 'application/json' }, body: JSON.stringify(body) });
  assert.equal(response.status, 200, await response.clone().text());
  return response;
}

async function wholeChat(world: World, { secret }: Resident): Promise<Receipt> {
  const response = await post(`${world.gateway.url}/v1/chat/completions`, { authorization: `Bearer ${secret}` }, { model: 'sandbox-reasoner', messages: [{ role: 'user', content: PROMPT }] });
  const { usage } = await response.json() as { readonly usage: Figures };
  assert.equal(response.headers.get('x-svc-tokens-debited'), usage.svc_tokens_debited);
  return { requestId: response.headers.get('x-request-id') ?? '', tokens: usage.svc_tokens_debited, dollars: usage.svc_cost_usd };
}

async function streamedMessages(world: World, { secret }: Resident): Promise<Receipt> {
  const response = await post(`${world.gateway.url}/v1/messages`, { 'x-api-key': secret }, { model: 'sandbox-small', max_tokens: 500, stream: true, messages: [{ role: 'user', content: PROMPT }] });
  const text = await response.text();
  const [, data = '{}'] = /^event: message_delta\r?\ndata: (.*)$/m.exec(text) ?? [];
  const { usage } = JSON.parse(data) as { readonly usage: Figures };
  return { requestId: response.headers.get('request-id') ?? response.headers.get('x-request-id') ?? '', tokens: usage.svc_tokens_debited, dollars: usage.svc_cost_usd };
}

async function comparesFigures(context: CheckContext): Promise<void> {
  const { world } = context;
  const owner = await context.owner();
  const { page } = await context.signedIn(owner);
  for (const send of [wholeChat, streamedMessages]) {
    const { requestId, tokens, dollars } = await send(world, owner);
    const record = await (await fetch(`${world.gateway.url}/v1/usage/${requestId}`, { headers: { authorization: `Bearer ${owner.secret}` } })).json() as UsageRecord;
    assert.deepEqual([record.svc_tokens_debited, record.svc_cost_usd], [tokens, dollars]);
    await page.goto(`/dashboard/usage/${requestId}`);
    const charge = page.getByRole('region', { name: 'Charge' });
    await shown(charge);
    const lines = await page.evaluate(async (id) => (await fetch(`/dashboard/api/usage/${id}`)).json() as Promise<{ readonly charge: { readonly lines: readonly { readonly amount: string }[]; readonly sum: string; readonly rounding: string; readonly debited: string; readonly usd: string } }>, requestId);
    const { lines: parts, sum, rounding, debited, usd } = lines.charge;
    assert.deepEqual([debited, usd], [tokens, dollars]);
    assert.deepEqual(await exactAmounts(charge), [...parts.map(({ amount }) => amount), sum, rounding, debited, usd]);
    assert.deepEqual(await exactAmounts(page.getByRole('region', { name: 'In the ledger' })), [tokens]);
    // Earlier checks advance the gateway's clock, so the request may have ended on the next day.
    const day = record.ended_at.slice(0, 10);
    await page.goto(`/dashboard/usage?start=${day}&end=${day}`);
    await shown(page.locator(`[title="${requestId}"]`));
    assert.ok((await exactAmounts(page.getByRole('main'))).includes(dollars), 'the list of requests shows the charge in full');
  }
}

export const equalFigures: Check = { number: 5, title: 'The receipt, the record of the API and the page show the same charge, digit for digit', run: comparesFigures };

const NARROW = { viewport: { width: 390, height: 844 }, hasTouch: true } as const;
/** A credit with twelve digits before the decimal point. */
const CREDIT = '999999999999.999999';
/** Models whose prices lead to charges of 9,007,199,254.740993, of 0.000001 and of 0. */
const MODELS: readonly PricedModel[] = [
  { slug: 'huge', prompt: '254740993', output: '500000000', promptTokens: 1, outputTokens: 18_014_398 },
  { slug: 'tiny', prompt: '0', output: '1', promptTokens: 1, outputTokens: 1 },
  { slug: 'free', prompt: '0', output: '0', promptTokens: 1, outputTokens: 1 },
];
const CHARGES = ['9007199254.740993', '0.000001', '0'] as const;
const LONG_EMAIL = `${'long.'.repeat(11)}address@a-rather-long-name-of-a-company.example.com`;

function amountsOf(value: unknown): readonly string[] {
  if (typeof value === 'string') return /^-?\d+(\.\d+)?$/.test(value) ? [value] : [];
  return value !== null && typeof value === 'object' ? Object.values(value).flatMap(amountsOf) : [];
}

/** Values at a path; in it, `*` stands for every member of a list. */
function partsAt(value: unknown, path: string): readonly unknown[] {
  return path.split('.').reduce<readonly unknown[]>((values, name) => values.flatMap((one) => (name === '*' ? one as readonly unknown[] : [(one as Readonly<Record<string, unknown>>)[name]])), [value]);
}

async function expectAmounts(page: Page, { path, act, shows }: AmountView): Promise<void> {
  await page.goto(`/dashboard${path}`);
  await shown(heading(page));
  await page.waitForFunction(() => document.querySelector('[aria-busy="true"], .mantine-Skeleton-root') === null);
  await act?.(page);
  await page.waitForFunction(() => document.querySelector('[aria-busy="true"], .mantine-Skeleton-root') === null);
  const faults = await amountFaults(page);
  assert.ok(faults.length === 0, `${path} at ${page.viewportSize()?.width ?? 0} pixels: ${faults.join('; ')}`);
  await exactAmounts(page.locator('body'));
  const written = amountsIn(await page.locator('body').innerText());
  for (const [route, ...parts] of shows) {
    const answer = await page.evaluate(async (address) => (await fetch(`/dashboard/api${address}`)).json() as Promise<unknown>, route);
    for (const amount of parts.flatMap((part) => partsAt(answer, part)).flatMap(amountsOf)) {
      assert.ok(amount === '0' || written.has(amount), `${path} does not show ${amount} of ${route}, but ${[...written].join(' ')}`);
    }
  }
}

/** Sends a request to each model; resolves with the request ids. */
async function spend({ gateway }: World, { secret }: Resident): Promise<readonly string[]> {
  const ids: string[] = [];
  for (const [position, { slug }] of MODELS.entries()) {
    const response = await fetch(`${gateway.url}/v1/chat/completions`, {
      method: 'POST', headers: { authorization: `Bearer ${secret}`, 'content-type': 'application/json' }, body: JSON.stringify({ model: slug, user: `user-${slug}`, messages: [{ role: 'user', content: 'Hello.' }] }),
    });
    assert.equal(response.headers.get('x-svc-tokens-debited'), CHARGES[position], await response.text());
    ids.push(response.headers.get('x-request-id') ?? '');
  }
  return ids;
}

/** Sets a spending limit on the owner's key; resolves with the key's id. */
async function limitKey(page: Page): Promise<string> {
  return page.evaluate(async (limit) => {
    const { data: [key] } = await (await fetch('/dashboard/api/keys')).json() as { readonly data: readonly { readonly id: string }[] };
    const id = key?.id ?? '';
    const changed = await fetch(`/dashboard/api/keys/${id}`, { method: 'PATCH', headers: { 'content-type': 'application/json' }, body: JSON.stringify({ spending_limit: { svc_tokens: limit, period: 'month' } }) });
    if (!changed.ok) throw new Error(await changed.text());
    return id;
  }, CREDIT);
}

async function faultsAt({ page }: WatchedPage, places: readonly AmountView[]): Promise<readonly string[]> {
  const faults: string[] = [];
  for (const place of places) {
    const fault = await expectAmounts(page, place).then(() => null, (thrown: unknown) => (thrown instanceof Error ? thrown.message : String(thrown)));
    if (fault !== null) faults.push(fault);
  }
  return faults;
}

async function expectEllipsis({ page }: WatchedPage): Promise<void> {
  const address = page.getByRole('button', { name: /^Person:/ }).getByText(LONG_EMAIL);
  assert.deepEqual(await address.evaluate((element) => [element.scrollWidth > element.clientWidth, getComputedStyle(element).textOverflow]), [true, 'ellipsis']);
}

async function showsLargeAmounts(check: CheckContext): Promise<void> {
  const models = await openPricedModels(MODELS);
  try {
    await check.apart(async (context) => {
      const owner = await context.owner({ email: LONG_EMAIL, credit: CREDIT });
      const operator = await context.operator();
      const own = await context.signedIn(owner, NARROW);
      const keyId = await limitKey(own.page);
      const subjects = { accountId: owner.accountId, keyId, requests: await spend(context.world, owner) };
      const [ownWide, theirs, theirsWide] = [await context.signedIn(owner), await context.signedIn(operator, NARROW), await context.signedIn(operator)];
      await expectEllipsis(ownWide);
      const [owned, operated] = [ownerAmountViews(subjects), operatorAmountViews(subjects)];
      const isOpen = ({ act }: AmountView): boolean => act === undefined;
      const faults = (await Promise.all([faultsAt(own, owned), faultsAt(ownWide, owned.filter(isOpen)), faultsAt(theirs, operated), faultsAt(theirsWide, operated.filter(isOpen))])).flat();
      // These views come last, because their charges and refunds change figures that the other views compare.
      faults.push(...await faultsAt(theirs, changingAmountViews(subjects, async () => void await spend(context.world, owner))));
      assert.ok(faults.length === 0, faults.join('\n'));
    }, { environment: { ...models.environment, SIGNUP_CREDIT: '0' } });
  } finally {
    await models.close();
  }
}

export const largeAmounts: Check = { number: 13, title: 'Every page shows amounts of any size digit for digit as the API does, neither truncated nor wrapped, and no page scrolls sideways', run: showsLargeAmounts };
