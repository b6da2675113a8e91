import { strict as assert } from 'node:assert';
import type { Resident, World } from '../world/open-world.js';
import type { Check } from './check.js';
import { type CheckContext, shown } from './check-context.js';
import { exactAmounts } from './exact-amounts.js';

/** What one request was charged, as its own reply says. */
interface Receipt {
  readonly requestId: string;
  readonly tokens: string;
  readonly dollars: string;
}

interface Figures {
  readonly svc_tokens_debited: string;
  readonly svc_cost_usd: string;
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

async function run(context: CheckContext): Promise<void> {
  const { world } = context;
  const owner = await context.owner();
  const { page } = await context.signedIn(owner);
  for (const send of [wholeChat, streamedMessages]) {
    const { requestId, tokens, dollars } = await send(world, owner);
    const record = await (await fetch(`${world.gateway.url}/v1/usage/${requestId}`, { headers: { authorization: `Bearer ${owner.secret}` } })).json() as Figures;
    assert.deepEqual([record.svc_tokens_debited, record.svc_cost_usd], [tokens, dollars]);
    await page.goto(`/dashboard/usage/${requestId}`);
    const charge = page.getByRole('region', { name: 'Charge' });
    await shown(charge);
    const lines = await page.evaluate(async (id) => (await fetch(`/dashboard/api/usage/${id}`)).json() as Promise<{ readonly charge: { readonly lines: readonly { readonly amount: string }[]; readonly sum: string; readonly rounding: string; readonly debited: string; readonly usd: string } }>, requestId);
    const { lines: parts, sum, rounding, debited, usd } = lines.charge;
    assert.deepEqual([debited, usd], [tokens, dollars]);
    assert.deepEqual(await exactAmounts(charge), [...parts.map(({ amount }) => amount), sum, rounding, debited, usd]);
    assert.deepEqual(await exactAmounts(page.getByRole('region', { name: 'In the ledger' })), [tokens]);
    await page.goto('/dashboard/usage');
    await shown(page.locator(`[title="${requestId}"]`));
    assert.ok((await exactAmounts(page.getByRole('main'))).includes(tokens), 'the list of requests shows the charge');
  }
}

export const equalFigures: Check = { number: 5, title: 'The receipt, the record of the API and the page show the same charge, digit for digit', run };
