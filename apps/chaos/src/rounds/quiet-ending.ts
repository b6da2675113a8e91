import { readFileSync } from 'node:fs';
import { Agent } from 'node:http';
import { setTimeout as pause } from 'node:timers/promises';
import { CHAOS_SLOTS } from '../books/chaos-catalogue.js';
import { Company } from '../books/company.js';
import { exchange } from '../load/exchange.js';
import { GatewayProcess } from '../processes/gateway-process.js';
import type { World } from './world.js';

const LOAD_MILLISECONDS = 1000;
/** A gateway has this long to end what clients left behind. */
const QUIET_MILLISECONDS = 10_000;
const LOOK_MILLISECONDS = 20;
const REFUSAL = 'another gateway is using it';

/** As many requests at a time as the account has slots: one that was never given back would show as a refusal. */
async function checkSlots(world: World, url: string): Promise<readonly string[]> {
  const agent = new Agent({ keepAlive: true });
  const outcomes = await Promise.all(Array.from({ length: CHAOS_SLOTS }, () => (
    exchange({ url, agent, key: world.ample.key, format: 'chat', streamed: true, leavesAfterMilliseconds: null }))));
  agent.destroy();
  const refused = outcomes.filter(({ status }) => status === 429).length;
  return refused === 0 ? [] : [`I10: ${refused} of ${CHAOS_SLOTS} slots were not given back`];
}

async function checkRefusalOfSecond({ place }: World): Promise<readonly string[]> {
  const second = GatewayProcess.spawn(place, null);
  const started = await second.ready().then(() => true, () => false);
  if (started) {
    await second.stop();
    return ['a second gateway started on the same database'];
  }
  return readFileSync(place.logFile, 'utf8').includes(REFUSAL) ? [] : ['a second gateway was refused without saying why'];
}

/** The end of a world that nobody kills: everything comes back, a second gateway is refused, and the books are sound after a stop. */
export async function quietEnding(world: World, gateway: GatewayProcess): Promise<readonly string[]> {
  const company = await Company.start(world.creditorOptions);
  const load = world.startLoad(gateway.url);
  await pause(LOAD_MILLISECONDS);
  await load.stop();
  const quietAt = performance.now();
  while (world.heldReservations() > 0 && performance.now() - quietAt < QUIET_MILLISECONDS) await pause(LOOK_MILLISECONDS);
  const stuck = world.heldReservations() > 0 ? ['I10: reservations are held although nobody asks for anything'] : [];
  const seen = await company.end();
  const slots = await checkSlots(world, gateway.url);
  const second = await checkRefusalOfSecond(world);
  await gateway.stop();
  return [...stuck, ...seen, ...slots, ...second, ...await world.check()];
}
