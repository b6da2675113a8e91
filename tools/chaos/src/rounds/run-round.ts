import { setTimeout as pause } from 'node:timers/promises';
import { Creditor } from '../books/creditor.js';
import type { GatewayProcess } from '../processes/gateway-process.js';
import type { Watch } from '../worlds/watch.js';
import type { World } from '../worlds/world.js';
import type { RoundPlan } from './round-plan.js';

/** A point that has not been passed often enough by then is not going to be. */
const LONGEST_LIFE_MILLISECONDS = 10_000;
/** How long the next gateway of a database file may take until nothing is left of the one before. */
const LONGEST_ORPHANED_MILLISECONDS = 4000;
const LOOK_MILLISECONDS = 5;

export interface RoundFinding {
  /** Whether every gateway died where it was to die. */
  readonly reached: boolean;
  /** From the start of the slowest next process until it served. */
  readonly restartMilliseconds: number;
}

/** Where rounds are run. */
export interface Arena {
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

/** Says whether it died where it was to die. */
async function die(gateway: GatewayProcess, { kind, moment }: RoundPlan, world: World): Promise<boolean> {
  if (kind !== 'random') gateway.dieAt({ point: kind, passing: moment });
  const wasKilledLate = killedLate(gateway, kind === 'random' ? moment : LONGEST_LIFE_MILLISECONDS);
  const signal = await gateway.ended;
  if (signal !== 'SIGKILL') world.violate(`a gateway ended by itself at ${kind}, with ${signal ?? 'a code'}`);
  world.dead.died(gateway.processId, kind, gateway.diedAt ?? 0);
  return kind === 'random' || !wasKilledLate();
}

/** The next gateway of a seat; says how long it took to serve. */
async function succeed(world: World, seat: number, before: GatewayProcess): Promise<number> {
  const next = await world.fleet.startOn(seat);
  const servesAt = performance.now();
  world.dead.succeeded(before.processId, servesAt);
  return servesAt - next.startedAt;
}

/** Lets nobody but gateways use the database until the next one serves. */
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
  // A gateway does without Redis from its start on, but not without its database.
  if (plan.trouble?.kind.startsWith('postgres') === true) await trouble;
  const restarts = await Promise.all(victims.map((victim, place) => succeed(world, plan.seats[place] ?? 0, victim)));
  await trouble;
  return { reached: reached.every(Boolean), restartMilliseconds: Math.max(...restarts) };
}

/** On a database file nothing may be left of a dead gateway soon after the next one serves. */
async function awaitNoOrphans({ world, watch }: Arena, processIds: ReadonlySet<string>): Promise<void> {
  const beganAt = performance.now();
  for (;;) {
    const lookedAt = performance.now();
    await watch.inspector.lookAtHeld();
    const isLeft = world.dead.all.some(({ processId, heldUntil }) => processIds.has(processId) && heldUntil >= lookedAt);
    if (!isLeft || performance.now() - beganAt > LONGEST_ORPHANED_MILLISECONDS) return;
    await pause(LOOK_MILLISECONDS);
  }
}

/** Lets gateways die as planned, under load, and starts the next ones. */
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
