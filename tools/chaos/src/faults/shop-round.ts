import { setTimeout as pause } from 'node:timers/promises';
import { ServiceTokens } from '@tollgate/core';
import { type DeliveryFate, FlakyEndpoint, Shop, type ShopBooks } from '@tollgate/kit';
import { until } from '@tollgate/testkit/programs';
import { CHAOS_PLAN } from '../catalogue/chaos-catalogue.js';
import type { FaultSight } from './fault-round.js';
import type { FaultWorld } from './fault-world.js';
import { SHOP_QUERIES, wrongBooks } from './shop-books.js';
import { EVENTS_QUERY, webhookNote, wrongDeliveries } from './shop-webhooks.js';

const CUSTOMERS = ['1', '2', '3'] as const;
const ORDERS_PER_KILL = 6;
const KILLS = 8;
/** Number of kills of a gateway for one kill of the shop. */
const SHOP_KILL_EVERY = 3;
const MAX_SERVED_MILLISECONDS = 3000;
const MAX_BETWEEN_ORDERS_MILLISECONDS = 800;
/** Interval at which the shop reads the charges. They have no webhooks; webhooks announce everything else sooner. */
const POLL_MILLISECONDS = 5000;
/** What may happen to the first delivery of an event, drawn at random; on average, half of the deliveries fail. */
const FATES: readonly DeliveryFate[] = ['lost', 'repeated', 'doubled', 'doubled'];
/** Time after the last kill in which every event must be delivered and entered. It is long, because a failure pauses deliveries for 5 s. */
const MAX_CATCHING_UP_MILLISECONDS = 600_000;
const LOOK_MILLISECONDS = 500;
const AMOUNT = '3.000001';

async function signUp(shop: Shop, world: FaultWorld): Promise<void> {
  for (const id of CUSTOMERS) await shop.post('/customers', { id, email: emailOf(id), name: `Customer ${id}` });
  await until(() => shop.books().unanswered.length === 0);
  for (const id of CUSTOMERS) await world.addCustomer(emailOf(id));
}

function emailOf(id: string): string {
  return `customer-${id}@tools.test`;
}

/** Kills one gateway after the other while the shop takes orders. Returns the number of orders. */
async function takeOrders(shop: Shop, world: FaultWorld): Promise<number> {
  let orders = 0;
  for (let kill = 0; kill < KILLS; kill += 1) {
    const replaced = pause(world.random.between(0, MAX_SERVED_MILLISECONDS)).then(() => world.killAndReplace(kill % world.gateways.length));
    for (let number = 0; number < ORDERS_PER_KILL; number += 1) {
      orders += 1;
      await shop.post('/orders', { id: String(orders), customer: CUSTOMERS[orders % CUSTOMERS.length] ?? '', svc_tokens: AMOUNT });
      await pause(world.random.between(0, MAX_BETWEEN_ORDERS_MILLISECONDS));
    }
    if (kill % SHOP_KILL_EVERY === 0) {
      await shop.kill();
      await shop.open();
    }
    await replaced;
  }
  return orders;
}

/**
 * Runs the example shop with gateways that are killed under load, and with an unreliable endpoint for its webhooks. Afterwards its books must equal
 * the ledger.
 */
export async function keepShop(world: FaultWorld, gateways: number): Promise<FaultSight> {
  for (let started = 0; started < gateways; started += 1) await world.startGateway();
  const endpoint = await FlakyEndpoint.start({ target: () => shop.webhookUrl, fate: () => world.random.pick(FATES) });
  const shop = new Shop({
    folder: world.folder, gatewayUrl: world.gateways[0]?.url ?? '', machine: await world.createShopMachine(), webhookSecret: await world.createWebhook(endpoint.url),
    pollMilliseconds: POLL_MILLISECONDS, plan: CHAOS_PLAN,
  });
  const [earlier = []] = await world.view.read([EVENTS_QUERY]);
  await shop.open();
  try {
    await signUp(shop, world);
    const load = world.startLoad();
    const orders = await takeOrders(shop, world);
    await load.stop();
    const unrest = await world.rest(false);
    const look = async (): Promise<readonly string[]> => {
      const [events = [], ...rows] = await world.view.read([EVENTS_QUERY, ...SHOP_QUERIES]);
      return [...wrongBooks(shop.books(), rows), ...wrongDeliveries({ earlier, received: endpoint.received }, events)];
    };
    await until(async () => {
      await pause(LOOK_MILLISECONDS);
      return (await look()).length === 0;
    }, MAX_CATCHING_UP_MILLISECONDS).catch(() => undefined);
    return { world, violations: [...unrest, ...await look()], notes: [...notesOf(shop.books(), orders), webhookNote(endpoint.received)] };
  } finally {
    endpoint.stop();
    await shop.kill();
  }
}

function notesOf({ accounts }: ShopBooks, orders: number): readonly string[] {
  const balances = Object.values(accounts).map(({ balance }) => ServiceTokens.parse(balance));
  const events = Object.values(accounts).reduce((sum, { sequence }) => sum + sequence, 0);
  const total = balances.reduce((sum, balance) => sum.plus(balance), ServiceTokens.parse('0'));
  return [`${KILLS} kills, ${orders} orders, ${events} events; the books of ${balances.length} accounts state ${total.toString()} service tokens`];
}
