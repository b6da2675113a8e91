import { readFileSync } from 'node:fs';
import { Agent } from 'node:http';
import { setTimeout as pause } from 'node:timers/promises';
import { CHAOS_SLOTS } from '../books/chaos-catalogue.js';
import { leakedSlots } from '../checks/slots.js';
import { exchange, type Outcome } from '../load/exchange.js';
import { GatewayProcess } from '../processes/gateway-process.js';
import type { World } from '../worlds/world.js';
import type { Arena } from './run-round.js';

/** What nobody asks for any more has to be given back within this time. */
const QUIET_MILLISECONDS = 30_000;
const LOOK_MILLISECONDS = 50;
/** All of many requests at once are admitted or refused within this time. */
const DECISION_MILLISECONDS = 10_000;
const MORE_THAN_SLOTS = 8;
const REFUSAL = 'another gateway is using it';

async function awaitQuiet({ world, watch }: Arena): Promise<void> {
  const quietAt = performance.now();
  for (;;) {
    const held = await watch.inspector.lookAtHeld();
    const leaked = leakedSlots(await watch.inspector.slotCounts());
    const wrong = held > 0 ? [`I6: ${held} reservations are held although nobody asks for anything`, ...leaked] : leaked;
    if (wrong.length === 0) return;
    if (performance.now() - quietAt > QUIET_MILLISECONDS) return wrong.forEach((text) => world.violate(text));
    await pause(LOOK_MILLISECONDS);
  }
}

/** More requests at a time than the account has slots, over all gateways: a slot that was lost, or given twice, would show. */
async function askForAllSlots({ accounts, fleet, surroundings }: World): Promise<readonly Outcome[]> {
  const agent = new Agent({ keepAlive: true });
  const key = accounts[0]?.key ?? '';
  const answers = Array.from({ length: CHAOS_SLOTS + MORE_THAN_SLOTS }, (_none, number) => exchange({
    url: fleet.serving[number % fleet.serving.length]?.url ?? '', agent, key, format: 'chat', streamed: true,
    script: { number: surroundings.nextNumber(), pieces: 4, holdsAfter: 2 }, leaves: null,
  }));
  const refused: Outcome[] = [];
  for (const answer of answers) void answer.then((outcome) => outcome.status === 429 && refused.push(outcome));
  const decidedBy = performance.now() + DECISION_MILLISECONDS;
  while (refused.length < MORE_THAN_SLOTS && performance.now() < decidedBy) await pause(LOOK_MILLISECONDS);
  surroundings.upstream.letGo();
  const outcomes = await Promise.all(answers);
  agent.destroy();
  return outcomes;
}

async function checkAllSlots(world: World): Promise<void> {
  const outcomes = await askForAllSlots(world);
  for (const outcome of outcomes) world.acknowledged.note(outcome);
  const served = outcomes.filter(({ status }) => status === 200).length;
  const refused = outcomes.filter(({ status }) => status === 429).length;
  if (served === CHAOS_SLOTS && refused === MORE_THAN_SLOTS) return;
  world.violate(`I10: of ${outcomes.length} requests at once ${served} were served and ${refused} refused, with ${CHAOS_SLOTS} slots`);
}

async function checkRefusalOfSecond(world: World): Promise<void> {
  const [place] = world.places;
  if (place === undefined || world.setup.gateways > 1) return;
  const second = GatewayProcess.spawn(place);
  const started = await second.ready().then(() => true, () => false);
  if (started) {
    await second.stop();
    world.violate('a second gateway started on the same database file');
  } else if (!readFileSync(place.logFile, 'utf8').includes(REFUSAL)) {
    world.violate('a second gateway was refused without saying why');
  }
}

/** The end of a world that nobody kills: everything comes back, the books agree with what everyone was told, and the gateways stop as they should. */
export async function quietEnding(arena: Arena): Promise<void> {
  const { world, watch } = arena;
  await awaitQuiet(arena);
  await watch.inspector.lookInQuiet();
  await checkAllSlots(world);
  await awaitQuiet(arena);
  await checkRefusalOfSecond(world);
  const unwilling = await world.fleet.stop();
  if (unwilling > 0) world.violate(`${unwilling} gateways did not stop as they should`);
  await watch.inspector.lookInQuiet();
  if (watch.inspector.slots.most === 0) world.violate('I10: nobody was ever seen to hold a slot, so what was looked at shows nothing');
}
