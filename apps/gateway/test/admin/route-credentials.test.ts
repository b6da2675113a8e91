import { later, type MachineScope, MILLISECONDS_PER_DAY, MILLISECONDS_PER_MINUTE, PaymentDesk, ServiceTokens, Vouchers } from '@tollgate/core';
import { adminContract, type AdminRoute, contract } from '@tollgate/api-contract';
import { Webhooks } from '@tollgate/identity';
import { services } from '../../src/composition/services.js';
import { addPerson, TestBrowser } from '../../src/test-support/test-browser.js';
import { afterAll, beforeAll, expect, it } from '@jest/globals';
import { AdminWorld, type AdminReply, GRANTED_SCOPES } from './admin-world.js';

type Headers = Readonly<Record<string, string>>;

const ROUTES: readonly (readonly [string, AdminRoute])[] = Object.entries(adminContract);
/** Routes that only read; `changes.test.ts` covers the others. */
const READS = ROUTES.filter(([, { method }]) => method === 'get');

let world: AdminWorld;
/** Headers with credentials that open no route, by name of the case. */
let refused: Readonly<Record<string, Headers>>;
let machineOf: ReadonlyMap<MachineScope, Headers>;
let requestId: string;
let eventId: string;
let webhookId: string;
let batchId: string;
let paymentId: string;
let statementNumber: string;

beforeAll(async () => {
  world = await AdminWorld.start();
  machineOf = new Map(await Promise.all(GRANTED_SCOPES.map(async (scope) => [scope, await world.headersOf([scope])] as const)));
  refused = await refusedCredentials();
  const reply = await world.gateway.post('/v1/chat/completions', { model: 'small', messages: [{ role: 'user', content: 'Hi' }] });
  if (reply.status !== 200) throw new Error(`${reply.status}`);
  requestId = reply.headers.get('x-request-id') ?? '';
  await reply.text();
  const { body } = await world.call('/events?limit=1', await world.headersOf(['events:read']));
  eventId = adminContract.listEvents.reply.parse(body).data[0]?.id ?? '';
  const { webhook } = await world.gateway.gateway.container.get(Webhooks).create({ owner: null, url: 'https://shop.example.test/', types: null, description: '' }, world.by());
  webhookId = webhook.id;
  const terms = { name: 'Batch', note: null, amount: ServiceTokens.parse('1'), vouchers: 1, usesPerVoucher: 1, expiresAt: null, creditExpiresAfterDays: null };
  batchId = (await world.gateway.gateway.container.get(Vouchers).create(terms, world.by())).batch.id;
  statementNumber = await aStatement();
  paymentId = await aPayment();
});
afterAll(() => world.close());

async function aPayment(): Promise<string> {
  const desk = await world.gateway.gateway.container.getAsync(PaymentDesk);
  return (await desk.start({ accountId: world.gateway.caller.account.id, choice: { amount: '10' }, saveMethod: false, returnUrlOf: String, cancelUrl: '' }, world.by())).id;
}

/** Makes the statements that are due, and returns the number of a statement of the caller. */
async function aStatement(): Promise<string> {
  const records = world.gateway.gateway.container.get(services.statementRecords);
  while ((await records.makeSome({ name: null, address: null, tax_number: null }, later(world.clock.now(), 32 * MILLISECONDS_PER_DAY))).outcome === 'more');
  return String((await records.list({ accountId: world.gateway.caller.account.id, month: null, before: null, limit: 1 })).statements[0]?.number);
}

async function refusedCredentials(): Promise<Readonly<Record<string, Headers>>> {
  const bearer = (text: string): Headers => ({ authorization: `Bearer ${text}` });
  const secretOf = async (terms: Parameters<AdminWorld['machine']>[1]): Promise<string> => (await world.machine(GRANTED_SCOPES, terms)).secret.reveal();
  const [revoked, replaced] = [await world.machine(GRANTED_SCOPES), await world.machine(GRANTED_SCOPES)];
  await world.machines.revoke(revoked.machine.id, world.by());
  await world.machines.rotate({ id: replaced.machine.id, overlapMilliseconds: 0, expiresAt: null }, world.by());
  const expired = await secretOf({ expiresAt: later(world.clock.now(), MILLISECONDS_PER_MINUTE) });
  world.clock.advance(MILLISECONDS_PER_MINUTE);
  const valid = await secretOf({});
  return {
    'nothing': {},
    'an API key': bearer(world.gateway.caller.key),
    'an API key in x-api-key': { 'x-api-key': world.gateway.caller.key },
    'a machine in x-api-key': { 'x-api-key': valid },
    'a machine beside an API key': { ...bearer(valid), 'x-api-key': world.gateway.caller.key },
    'the cookie of an operator': await operatorCookie(),
    'an unknown secret': bearer(`tgm_${'x'.repeat(48)}`),
    'an expired secret': bearer(expired),
    'a revoked machine': bearer(revoked.secret.reveal()),
    'a replaced secret': bearer(replaced.secret.reveal()),
    'another network': bearer(await secretOf({ networks: ['192.0.2.0/24'] })),
    'another scheme': { authorization: `Basic ${valid}` },
  };
}

async function operatorCookie(): Promise<Headers> {
  const { person, password } = await addPerson(world.gateway.gateway, 'olga@example.test', 'operator');
  const browser = new TestBrowser(world.gateway.gateway);
  expect((await browser.call(contract.signIn, { body: { email: person.email, password } })).status).toBe(200);
  expect((await browser.call(contract.listAccounts)).status).toBe(200);
  return { cookie: [...browser.cookies].map(([name, value]) => `${name}=${value}`).join('; ') };
}

function call({ method, path }: AdminRoute, headers: Headers): Promise<AdminReply> {
  const ids: Readonly<Record<string, string>> = { webhooks: webhookId, vouchers: batchId, payments: paymentId };
  const values = new Map([['id', ids[path.split('/')[1] ?? ''] ?? world.gateway.caller.account.id], ['request_id', requestId], ['event_id', eventId], ['number', statementNumber]]);
  return world.call(path.replaceAll(/\{(\w+)\}/g, (_, name: string) => values.get(name) ?? 'key_none'), headers, { method: method.toUpperCase() });
}

/** Status and error of a reply, without its request id. */
function told({ status, body: { error } }: AdminReply): Readonly<Record<string, unknown>> {
  const { request_id: _id, ...rest } = error ?? {};
  return { status, ...rest };
}

it('every route states the machine scope that it requires, or that any scope suffices', () => {
  expect(READS.map(([name, { method, path, access }]) => `${name}: ${method} ${path} (${access})`)).toEqual([
    'listAccounts: get /accounts (accounts:read)', 'readAccount: get /accounts/{id} (accounts:read)', 'readBalance: get /accounts/{id}/balance (accounts:read)',
    'listLedger: get /accounts/{id}/ledger (accounts:read)', 'listKeys: get /accounts/{id}/keys (accounts:read)',
    'listCredits: get /accounts/{id}/credits (accounts:read)', 'listPayments: get /payments (accounts:read)', 'readPayment: get /payments/{id} (accounts:read)',
    'readAutomaticTopUp: get /accounts/{id}/automatic-top-up (accounts:read)',
    'listVoucherBatches: get /vouchers (money:write)', 'readVoucherBatch: get /vouchers/{id} (money:write)', 'listVoucherUses: get /vouchers/{id}/uses (money:write)',
    'listUsage: get /usage (usage:read)', 'usageSummary: get /usage/summary (usage:read)', 'firstTokenSummary: get /usage/first-token (usage:read)', 'exportUsage: get /usage/export (usage:read)',
    'readUsage: get /usage/{request_id} (usage:read)', 'listStatements: get /statements (accounts:read)', 'listAccountStatements: get /accounts/{id}/statements (accounts:read)',
    'readStatement: get /statements/{number} (accounts:read)', 'listEvents: get /events (events:read)', 'readEvent: get /events/{event_id} (events:read)',
    'listWebhooks: get /webhooks (webhooks:write)', 'readWebhook: get /webhooks/{id} (webhooks:write)', 'listWebhookDeliveries: get /webhooks/{id}/deliveries (webhooks:write)',
    'listBlocks: get /blocks (controls:write)', 'readMaintenance: get /maintenance (controls:write)', 'listIncidentLimits: get /incident-limits (controls:write)',
    'readMachine: get /machine (any)', 'listModels: get /models (any)', 'listPlans: get /plans (any)', 'listPriceLists: get /price-lists (any)', 'readHealth: get /health (any)',
  ]);
  const changes = ROUTES.flatMap(([, { method, access }]) => (method === 'get' ? [] : [access]));
  expect(new Set(changes)).toEqual(new Set(['accounts:write', 'money:write', 'keys:write', 'sign-in:write', 'webhooks:write', 'controls:write']));
});

/** Returns the reply to a machine with one scope, and the expected reply. */
async function tryScope([name, route]: (typeof ROUTES)[number], [scope, headers]: readonly [MachineScope, Headers]) {
  const reply = await call(route, headers);
  const isRight = route.access === 'any' || route.access === scope;
  const misfits = reply.status === 200 ? route.reply?.safeParse(reply.body).error?.issues ?? [] : [];
  const refusal = { status: 403, code: 'scope_missing', type: 'permission_error', message: `This machine does not have the scope ${route.access}.` };
  return { got: { name, scope, misfits, ...told(reply) }, expected: { name, scope, misfits: [], ...isRight ? { status: 200 } : refusal } };
}

it('every read accepts a machine with its scope, and refuses one with any other scope, naming the required scope', async () => {
  for (const route of READS) {
    const cells = await Promise.all([...machineOf].map((machine) => tryScope(route, machine)));
    expect(cells.map(({ got }) => got)).toEqual(cells.map(({ expected }) => expected));
  }
});

it('every route refuses credentials other than the valid secret of a machine with the same 401', async () => {
  for (const [name, route] of ROUTES) {
    const replies = await Promise.all(Object.entries(refused).map(async ([credential, headers]) => ({ name, credential, ...told(await call(route, headers)) })));
    expect(replies).toEqual(Object.keys(refused).map((credential) => ({
      name, credential, status: 401, code: 'invalid_api_key', type: 'authentication_error',
      message: 'Send the valid secret of a machine as "Authorization: Bearer tgm_...". API keys and sessions are not accepted here.',
    })));
  }
});

it('the log states why a machine was refused, without its secret', async () => {
  const before = world.gateway.parts.logged.length;
  for (const headers of Object.values(refused)) await world.call('/accounts', headers);
  const logged = world.gateway.parts.logged.slice(before);
  const reasons = logged.flatMap(({ msg, reason }) => (msg === 'a machine was refused' ? [String(reason).replace(/mach_\S+/, 'mach_…')] : []));
  expect(reasons).toEqual([
    'no secret was sent', 'the secret does not have the form of a machine secret', 'the x-api-key header was sent', 'the x-api-key header was sent', 'the x-api-key header was sent', 'no secret was sent',
    'the secret is unknown', 'the secret of mach_… has expired', 'mach_… is revoked', 'the secret of mach_… has expired', 'mach_… called from outside its permitted networks', 'no secret was sent',
  ]);
  expect(JSON.stringify(logged)).not.toMatch(/tgm_[A-Za-z0-9]/);
});
