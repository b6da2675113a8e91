import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { ManualClock } from '@tollgate/adapters-memory';
import { type AccountId, instant, ServiceTokens, SYSTEM_ACTOR } from '@tollgate/core';
import { Machines, Webhooks } from '@tollgate/identity';
import { type DeliveryFate, FlakyEndpoint, Shop, SHOP_SCOPES } from '@tollgate/kit';
import { until } from '@tollgate/testkit';
import { Webhook } from 'standardwebhooks';
import { services } from '../../apps/gateway/src/composition/services.js';
import { type EmbeddedGateway, startEmbeddedGateway } from '../../apps/gateway/src/test-support/start-embedded-gateway.js';

/** Interval that exceeds the duration of the test, so that only webhooks make the shop read the feeds. */
const POLL_MILLISECONDS = 3_600_000;
const SECOND_MILLISECONDS = 1000;
const ORDERS = 6;

/** What happens to the first attempt to deliver each event, in turn; half of these attempts fail. */
const FATES: readonly DeliveryFate[] = ['lost', 'doubled', 'repeated', 'doubled'];

let folder: string;
let clock: ManualClock;
let gateway: EmbeddedGateway;
let endpoint: FlakyEndpoint;
let shop: Shop;
let secret: string;

beforeEach(async () => {
  folder = mkdtempSync(join(tmpdir(), 'tollgate-shop-'));
  // The shop compares the time of a signature with its own clock.
  clock = new ManualClock(instant(Date.now()));
  gateway = await startEmbeddedGateway({ environment: { SECRET: 'ab'.repeat(32), DATABASE_URL: `sqlite:${join(folder, 'tollgate.db')}` }, services: { clock, leaseClock: 'caller' } });
  let requests = 0;
  endpoint = await FlakyEndpoint.start({ target: () => shop.webhookUrl, fate: () => FATES[requests++ % FATES.length] ?? 'lost' });
  const { container } = gateway.gateway;
  const machine = await container.get(Machines).create({ name: 'Shop', scopes: SHOP_SCOPES, networks: [], expiresAt: null }, by());
  if (machine.outcome !== 'created') throw new Error(machine.outcome);
  ({ secret } = await container.get(Webhooks).create({ owner: null, url: endpoint.url, types: null, description: '' }, by()));
  shop = new Shop({ folder, gatewayUrl: gateway.url, machine: machine.issued.secret.reveal(), webhookSecret: secret, pollMilliseconds: POLL_MILLISECONDS });
  await shop.open();
});
afterEach(async () => {
  await shop.kill();
  await gateway.close();
  endpoint.stop();
  rmSync(folder, { recursive: true });
});

function by() {
  return { actor: SYSTEM_ACTOR, at: clock.now() };
}

async function credit(reference: string, amount = '1.000001'): Promise<void> {
  await gateway.gateway.accountAdministration.credit({ accountId: gateway.account.id, amount: ServiceTokens.parse(amount), reference, actor: SYSTEM_ACTOR });
}

async function use(): Promise<void> {
  const reply = await fetch(`${gateway.url}/v1/chat/completions`, {
    method: 'POST', headers: { 'authorization': `Bearer ${gateway.key}`, 'content-type': 'application/json' }, body: JSON.stringify({ model: 'sandbox-small', messages: [{ role: 'user', content: 'Hello!' }] }),
  });
  await reply.text();
  expect(reply.status).toBe(200);
}

async function ledgerBalance(id: AccountId = gateway.account.id): Promise<string> {
  return (await gateway.gateway.container.get(services.ledger).balanceOf(id))?.posted.toString() ?? '';
}

function shopBalance(): string {
  return shop.books().accounts[gateway.account.id]?.balance ?? '';
}

/** Advances the gateway's clock until everything is delivered. */
async function untilDelivered(condition: () => boolean | Promise<boolean>): Promise<void> {
  await until(async () => {
    await clock.advanceAsync(SECOND_MILLISECONDS);
    return condition();
  });
}

async function post(headers: Readonly<Record<string, string>>, body: string): Promise<number> {
  const reply = await fetch(shop.webhookUrl, { method: 'POST', headers, body });
  await reply.text();
  return reply.status;
}

/** Headers of a webhook that the official library has signed. */
function signed(body: string, { key = secret, at = new Date() }: { readonly key?: string; readonly at?: Date } = {}): Readonly<Record<string, string>> {
  return { 'webhook-id': 'evt_1', 'webhook-timestamp': String(Math.floor(at.getTime() / SECOND_MILLISECONDS)), 'webhook-signature': new Webhook(key).sign('evt_1', at, body) };
}

describe('the shop of the examples', () => {
  it('books each event once, although half of the webhooks fail, the others arrive twice, and some are forged', async () => {
    for (let order = 1; order <= ORDERS; order += 1) {
      await use();
      await credit(`order-${order}`);
    }
    const { events } = await gateway.gateway.container.get(services.events).read({ after: null, limit: 1000, types: null, accountId: gateway.account.id }) as { readonly events: readonly { readonly id: string }[] };
    await untilDelivered(() => new Set(endpoint.received.flatMap(({ passedOn, id }) => (passedOn.length === 0 ? [] : [id]))).size >= ORDERS);
    await until(async () => shopBalance() === await ledgerBalance());
    expect(shop.books().accounts[gateway.account.id]?.sequence).toBe(events.length);
    for (const { forged, passedOn } of endpoint.received) expect([forged, ...passedOn.filter((status) => status !== 202)]).toEqual([400]);
    for (const fate of FATES) expect(endpoint.received.map((delivery) => delivery.fate)).toContain(fate);
  });

  it('reads the feed after a webhook with a valid signature, and after no other', async () => {
    await until(async () => shopBalance() === await ledgerBalance());
    const before = shopBalance();
    await credit('unseen');
    const body = '{"type": "balance.booked"}';
    const forged = [
      {}, { ...signed(body), 'webhook-id': 'evt_2' }, { ...signed(body), 'webhook-signature': '' }, { ...signed(body), 'webhook-timestamp': '' },
      signed(body, { key: `whsec_${Buffer.alloc(24).toString('base64')}` }), signed(body, { at: new Date(Date.now() - 600_000) }), signed(`${body} `),
    ];
    expect(await Promise.all(forged.map((headers) => post(headers, body)))).toEqual(forged.map(() => 400));
    expect(shopBalance()).toBe(before);
    const good = signed(body);
    const rotated = { ...good, 'webhook-signature': `v1,${Buffer.alloc(32).toString('base64')} ${good['webhook-signature'] ?? ''}` };
    expect(await post(rotated, body)).toBe(202);
    await until(async () => shopBalance() === await ledgerBalance());
    expect(shopBalance()).not.toBe(before);
    await credit('second');
    expect(await Promise.all([post(good, body), post(good, body)])).toEqual([202, 202]);
    await until(async () => shopBalance() === await ledgerBalance());
  });
});
