import { setTimeout as pause } from 'node:timers/promises';
import { readFileSync } from 'node:fs';
import { Agent } from 'node:http';
import { Creditor } from '../creditor/creditor.js';
import { GatewayProcess } from '../gateways/fleet.js';
import type { Watch } from '../world/inspector.js';
import { CHAOS_SLOTS } from '../catalogue/chaos-catalogue.js';
import type { World } from '../world/world.js';
import type { RoundPlan } from './run-rounds.js';
import { leakedSlots } from '../checks/slots.js';
import { exchange, type Outcome } from '../customers/exchange.js';

/** Time after which a gateway that has not reached its point is killed from outside. */
const MAX_LIFE_MILLISECONDS = 10_000;
/** Time in which the next gateway on a database file must end the reservations of the one that was killed. */
const MAX_ORPHANED_MILLISECONDS = 4000;
const LOOK_MILLISECONDS = 5;

export interface RoundFinding {
  /** True if every gateway died at its planned point. */
  readonly reached: boolean;
  /** Longest time from the start of a successor until it was ready. */
  readonly restartMilliseconds: number;
}

interface Arena {
  readonly world: World;
  readonly watch: Watch;
}

function killedLate(gateway: GatewayProcess, milliseconds: number): () => boolean {
  let killed = false;
  const timer = setTimeout(() => {
    killed = true;
    gateway.kill();
  }, milliseconds);
  void gateway.ended.then(() => clearTimeout(timer));
  return () => killed;
}

/** Waits until a gateway dies. True if it died at the planned point, not by the time limit. */
async function die(gateway: GatewayProcess, { kind, moment }: RoundPlan, world: World): Promise<boolean> {
  if (kind !== 'random') gateway.dieAt({ point: kind, passing: moment });
  const wasKilledLate = killedLate(gateway, kind === 'random' ? moment : MAX_LIFE_MILLISECONDS);
  const signal = await gateway.ended;
  if (signal !== 'SIGKILL') world.violate(`a gateway ended by itself at ${kind}, with ${signal ?? 'a code'}`);
  world.dead.died(gateway.processId, kind, gateway.diedAt ?? 0);
  return kind === 'random' || !wasKilledLate();
}

/** Starts the successor of a gateway; returns the milliseconds until it was ready. */
async function succeed(world: World, seat: number, before: GatewayProcess): Promise<number> {
  const next = await world.fleet.startOn(seat);
  const servesAt = performance.now();
  world.dead.succeeded(before.processId, servesAt);
  return servesAt - next.startedAt;
}

/** Runs a round during which no other program uses the database until the successor serves. */
async function leaveAlone({ watch }: Arena, round: () => Promise<RoundFinding>): Promise<RoundFinding> {
  await watch.pause();
  const finding = await round();
  await watch.start();
  return finding;
}

async function killAndRestart({ world, watch }: Arena, plan: RoundPlan): Promise<RoundFinding> {
  const victims = plan.seats.map((seat) => world.fleet.at(seat));
  const trouble = plan.trouble === null ? Promise.resolve() : world.setup.suffer(plan.trouble);
  const reached = await Promise.all(victims.map((victim) => die(victim, plan, world)));
  if (plan.watched && plan.trouble === null) await watch.inspector.lookAtHeld();
  // A gateway starts without Redis, but not without its database.
  if (plan.trouble?.kind.startsWith('postgres') === true) await trouble;
  const restarts = await Promise.all(victims.map((victim, place) => succeed(world, plan.seats[place] ?? 0, victim)));
  await trouble;
  return { reached: reached.every(Boolean), restartMilliseconds: Math.max(...restarts) };
}

/** Waits, for a limited time, until the successor on a database file has ended all reservations of the gateway before it. */
async function awaitNoOrphans({ world, watch }: Arena, processIds: ReadonlySet<string>): Promise<void> {
  const beganAt = performance.now();
  for (;;) {
    const lookedAt = performance.now();
    await watch.inspector.lookAtHeld();
    const isLeft = world.dead.all.some(({ processId, heldUntil }) => processIds.has(processId) && heldUntil >= lookedAt);
    if (!isLeft || performance.now() - beganAt > MAX_ORPHANED_MILLISECONDS) return;
    await pause(LOOK_MILLISECONDS);
  }
}

/** Kills gateways as planned while requests run, and starts their successors. */
export async function runRound(arena: Arena, plan: RoundPlan): Promise<RoundFinding> {
  const { world } = arena;
  const processIds = new Set(plan.seats.map((seat) => world.fleet.at(seat).processId));
  if (!plan.watched) {
    const finding = await leaveAlone(arena, () => killAndRestart(arena, plan));
    await awaitNoOrphans(arena, processIds);
    return finding;
  }
  const creditor = await Creditor.start(world.creditorOptions);
  const creditorKilled = Promise.race(plan.seats.map((seat) => world.fleet.at(seat).ended)).then(() => creditor.kill());
  const finding = await killAndRestart(arena, plan);
  await creditorKilled;
  if (world.setup.orphanRule.from === 'the-next-start') await awaitNoOrphans(arena, processIds);
  return finding;
}

/** Time after the last request in which all reservations must end and all slots be free. */
const QUIET_MILLISECONDS = 30_000;
const SETTLED_LOOK_MILLISECONDS = 50;
/** Time in which all concurrent requests must be admitted or refused. */
const DECISION_MILLISECONDS = 10_000;
const MORE_THAN_SLOTS = 8;
const REFUSAL = 'another gateway is using it';

async function awaitQuiet({ world, watch }: Arena): Promise<void> {
  const quietAt = performance.now();
  for (;;) {
    const held = await watch.inspector.lookAtHeld();
    const leaked = leakedSlots(await watch.inspector.slotCounts());
    const wrong = held > 0 ? [`I6: ${held} reservations are held after the last request`, ...leaked] : leaked;
    if (wrong.length === 0) return;
    if (performance.now() - quietAt > QUIET_MILLISECONDS) return wrong.forEach((text) => world.violate(text));
    await pause(SETTLED_LOOK_MILLISECONDS);
  }
}

/** Sends more requests than the account has slots, to all gateways together. This detects slots that are lost or given twice. */
async function askForAllSlots({ accounts, fleet, context }: World): Promise<readonly Outcome[]> {
  const agent = new Agent({ keepAlive: true });
  const key = accounts[0]?.key ?? '';
  const answers = Array.from({ length: CHAOS_SLOTS + MORE_THAN_SLOTS }, (_none, number) => exchange({
    url: fleet.serving[number % fleet.serving.length]?.url ?? '', agent, key, format: 'chat', streamed: true,
    script: { number: context.nextNumber(), pieces: 4, holdsAfter: 2 }, leaves: null,
  }));
  const refused: Outcome[] = [];
  for (const answer of answers) void answer.then((outcome) => outcome.status === 429 && refused.push(outcome));
  const decidedBy = performance.now() + DECISION_MILLISECONDS;
  while (refused.length < MORE_THAN_SLOTS && performance.now() < decidedBy) await pause(SETTLED_LOOK_MILLISECONDS);
  context.upstream.letGo();
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
  world.violate(`I13: of ${outcomes.length} requests at once ${served} were served and ${refused} refused, with ${CHAOS_SLOTS} slots`);
}

async function checkRefusalOfSecond(world: World): Promise<void> {
  const [launch] = world.launches;
  if (launch === undefined || world.setup.gateways > 1) return;
  const second = GatewayProcess.spawn(launch);
  const started = await second.ready().then(() => true, () => false);
  if (started) {
    await second.stop();
    world.violate('a second gateway started on the same database file');
  } else if (!readFileSync(launch.logFile, 'utf8').includes(REFUSAL)) {
    world.violate('a second gateway was refused without saying why');
  }
}

/** Ends a world without a kill. All reservations and slots must be released, books and receipts must agree, and gateways must stop by themselves. */
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
  if (watch.inspector.slots.most === 0) world.violate('I13: no slot was ever seen taken, so the checks of slots show nothing');
}
