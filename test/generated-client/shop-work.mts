// The work of a shop through a client whose types are generated from the OpenAPI document. The test beside it compiles and runs it.
import createClient from 'openapi-fetch';
import type { components, paths } from './admin.ts';

const { TOLLGATE_URL = '', TOLLGATE_MACHINE = '' } = process.env;
const client = createClient<paths>({ baseUrl: `${TOLLGATE_URL}/admin/v1`, headers: { authorization: `Bearer ${TOLLGATE_MACHINE}` } });

interface Reply<Body> {
  readonly data?: Body;
  readonly error?: components['schemas']['Error'];
}

function bodyOf<Body>({ data, error }: Reply<Body>): Body {
  if (data === undefined) throw new Error(error === undefined ? 'no answer' : `${error.error.code}: ${error.error.message}`);
  return data;
}

function once(key: string): { readonly 'Idempotency-Key': string } {
  return { 'Idempotency-Key': key };
}

const path = { id: 'external:customer-4711' };

const account = bodyOf(await client.POST('/accounts', {
  params: { header: once('signup-4711') }, body: { email: 'carol@example.com', name: 'Carol', external_id: 'customer-4711', metadata: { tier: 'gold' } },
}));
const order = { svc_tokens: '50.000001', reference: 'order-1001', reason: 'Order 1001' };
const booked = bodyOf(await client.POST('/accounts/{id}/credits', { params: { path, header: once('order-1001') }, body: order }));
const repeated = bodyOf(await client.POST('/accounts/{id}/credits', { params: { path, header: once('order-1001 again') }, body: order }));
const balance = bodyOf(await client.GET('/accounts/{id}/balance', { params: { path } }));
const ledger = bodyOf(await client.GET('/accounts/{id}/ledger', { params: { path } }));

const events: { readonly type: string; readonly sequence: number | null }[] = [];
let after: string | null = null;
for (let hasMore = true; hasMore;) {
  const page: paths['/events']['get']['responses'][200]['content']['application/json'] = bodyOf(await client.GET('/events', { params: { query: { limit: 2, ...(after === null ? {} : { after }) } } }));
  events.push(...page.data.filter((event) => event.account_id === account.id).map(({ type, account_sequence: sequence }) => ({ type, sequence })));
  [after, hasMore] = [page.next_cursor, page.has_more];
}

const settlements: { readonly account: string; readonly charge: string }[] = [];
const feed = bodyOf(await client.GET('/usage', { params: { query: { after: '' } } }));
for (const entry of feed.data) if (entry.object === 'usage_entry') settlements.push({ account: entry.account_id, charge: entry.svc_tokens_debited });

const webhook = bodyOf(await client.POST('/webhooks', { params: { header: once('webhook') }, body: { url: 'http://127.0.0.1:9/webhooks', types: ['balance.booked'] } }));
const listed = bodyOf(await client.GET('/webhooks'));
const rotated = bodyOf(await client.POST('/webhooks/{id}/rotate', { params: { path: { id: webhook.id }, header: once('rotate') } }));
const removed = await client.DELETE('/webhooks/{id}', { params: { path: { id: webhook.id }, header: once('remove') } });
const refused = await client.GET('/accounts/{id}', { params: { path: { id: 'external:unknown' } } });

process.stdout.write(JSON.stringify({
  account: { external_id: account.external_id, status: account.status }, booked: [booked.repeated, booked.entry.svc_tokens], repeated: repeated.repeated,
  balance: balance.total.svc_tokens, ledger: ledger.data.map(({ kind, reference }) => [kind, reference]), events, settlements,
  webhooks: [listed.data.map(({ id }) => id === webhook.id), rotated.secret !== webhook.secret, removed.response.status], refused: refused.error?.error.code,
}));
