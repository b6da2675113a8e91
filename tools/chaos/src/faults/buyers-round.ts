import { setTimeout as pause } from 'node:timers/promises';
import { until } from '@tollgate/testkit/programs';
import { Buyer } from './buyer.js';
import type { FaultSight } from './fault-round.js';
import type { FaultWorld } from './fault-world.js';
import { PAYMENT_QUERIES, wrongPayments } from './payment-books.js';

const BUYERS = 5;
const KILLS = 8;
const PURCHASES_PER_KILL = 5;
const MAX_SERVED_MILLISECONDS = 2000;
const MAX_BETWEEN_MILLISECONDS = 500;
const PAID_SHARE = 0.8;
/** Time in which payments must be booked. Gateways ask the provider after a minute if a buyer did not return from the checkout. */
const MAX_CATCHING_UP_MILLISECONDS = 180_000;
const LOOK_MILLISECONDS = 500;

async function signIn(world: FaultWorld): Promise<readonly Buyer[]> {
  const buyers: Buyer[] = [];
  for (let number = 0; number < BUYERS; number += 1) {
    const buyer = new Buyer(await world.createOperator(`buyer-${number}@tools.test`));
    await buyer.signIn(world.gateways[0]?.url ?? '');
    buyers.push(buyer);
  }
  return buyers;
}

/** Kills one gateway after the other while buyers pay. Returns the number of payments that were started. */
async function buyUnderKills(world: FaultWorld, buyers: readonly Buyer[]): Promise<number> {
  let started = 0;
  const purchase = async (): Promise<void> => {
    const gateway = world.random.pick(world.gateways);
    if (await world.random.pick(buyers).buy(gateway.url, world.random.happens(PAID_SHARE) ? 'pay' : 'decline')) started += 1;
  };
  for (let kill = 0; kill < KILLS; kill += 1) {
    const replaced = pause(world.random.between(0, MAX_SERVED_MILLISECONDS)).then(() => world.killAndReplace(kill % world.gateways.length));
    for (let number = 0; number < PURCHASES_PER_KILL; number += 1) {
      await Promise.all([purchase(), purchase()]);
      await pause(world.random.between(0, MAX_BETWEEN_MILLISECONDS));
    }
    await replaced;
  }
  return started;
}

/** Lets owners buy credit at gateways that are killed under load. Afterwards each paid payment must be booked once, and no other. */
export async function sellCredit(world: FaultWorld, gateways: number): Promise<FaultSight> {
  // In production, a gateway refuses to sell through the sandbox.
  for (let started = 0; started < gateways; started += 1) await world.startGateway({ NODE_ENV: 'development', PAYMENTS: 'sandbox' });
  const buyers = await signIn(world);
  const load = world.startLoad();
  const started = await buyUnderKills(world, buyers);
  await load.stop();
  const acknowledged = new Map(buyers.flatMap((buyer) => [...buyer.acknowledged]));
  const look = async (): Promise<readonly string[]> => wrongPayments(acknowledged, await world.view.read(PAYMENT_QUERIES));
  await until(async () => {
    await pause(LOOK_MILLISECONDS);
    return (await look()).length === 0;
  }, MAX_CATCHING_UP_MILLISECONDS).catch(() => undefined);
  const unrest = await world.rest(false);
  const paid = [...acknowledged.values()].filter((told) => told === 'paid').length;
  const felt = started > 0 && paid > 0 ? [] : ['no buyer paid'];
  return {
    world, violations: [...felt, ...unrest, ...await look(), ...await world.verifyLedger()],
    notes: [`${KILLS} kills, ${started} payments of ${BUYERS} buyers, ${paid} of them acknowledged as paid`],
  };
}
