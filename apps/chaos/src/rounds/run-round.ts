import { setTimeout as pause } from 'node:timers/promises';
import { Company } from '../books/company.js';
import type { LoadTally } from '../load/load.js';
import { GatewayProcess } from '../processes/gateway-process.js';
import type { RoundPlan } from './round-plan.js';
import type { World } from './world.js';

/** A point that has not been passed often enough by then is not going to be. */
const LONGEST_LIFE_MILLISECONDS = 6000;
/** What the promise P5 gives a gateway that starts again. */
const LONGEST_ORPHANED_MILLISECONDS = 2000;
const LOOK_MILLISECONDS = 5;

export interface Recovery {
  readonly gateway: GatewayProcess;
  readonly recoveryMilliseconds: number;
  readonly afterReadyMilliseconds: number;
  readonly violations: readonly string[];
}

export interface Life {
  readonly reached: boolean;
  readonly tally: LoadTally;
  readonly violations: readonly string[];
}

/** Starts a gateway, which is going to die as planned, and checks what the one before it left. */
export async function recover(world: World, plan: RoundPlan | null): Promise<Recovery> {
  const death = plan === null || plan.kind === 'random' ? null : { point: plan.kind, passing: plan.moment };
  const gateway = GatewayProcess.spawn(world.place, death);
  await gateway.ready();
  const readyAt = performance.now();
  while (world.heldReservations() > 0 && performance.now() - readyAt < LONGEST_ORPHANED_MILLISECONDS) await pause(LOOK_MILLISECONDS);
  const resolvedAt = performance.now();
  const stuck = world.heldReservations();
  const violations = await world.check();
  return {
    gateway,
    recoveryMilliseconds: resolvedAt - gateway.startedAt,
    afterReadyMilliseconds: resolvedAt - readyAt,
    violations: stuck === 0 ? violations : [...violations, `P5, I6: ${stuck} reservations of a dead process are still held`],
  };
}

function killedFromOutside(gateway: GatewayProcess, milliseconds: number): () => boolean {
  let killed = false;
  const timer = setTimeout(() => {
    killed = true;
    gateway.kill();
  }, milliseconds);
  void gateway.ended.then(() => clearTimeout(timer));
  return () => killed;
}

/** Lets a gateway work until it dies as planned. */
export async function liveUntilDeath(world: World, gateway: GatewayProcess, plan: RoundPlan): Promise<Life> {
  const company = plan.watched ? await Company.start(world.creditorOptions) : null;
  const load = world.startLoad(gateway.url);
  const wasKilled = killedFromOutside(gateway, plan.kind === 'random' ? plan.moment : LONGEST_LIFE_MILLISECONDS);
  const signal = await gateway.ended;
  const tally = await load.stop();
  const seen = await company?.end() ?? [];
  return {
    reached: plan.kind === 'random' || !wasKilled(),
    tally,
    violations: signal === 'SIGKILL' ? seen : [...seen, `the gateway ended by itself, with ${signal ?? 'a code'}`],
  };
}
