import type { GatewayProcess } from '../processes/gateway-process.js';
import type { Findings } from './findings.js';
import { quietEnding } from './quiet-ending.js';
import type { RoundPlan } from './round-plan.js';
import { type Life, liveUntilDeath, type Recovery, recover } from './run-round.js';
import type { World } from './world.js';

export interface RoundsOptions {
  readonly plans: readonly RoundPlan[];
  readonly findings: Findings;
  /** Whether another round may begin. */
  readonly timeIsLeft: () => boolean;
  readonly say: (text: string) => void;
}

interface Ended {
  readonly plan: RoundPlan;
  readonly life: Life;
  readonly receipts: number;
  readonly credits: number;
  readonly orphans: number;
}

async function live(world: World, gateway: GatewayProcess, plan: RoundPlan): Promise<Ended> {
  const { receipts, credits } = world.acknowledged;
  const before = { receipts: receipts.length, credits: credits.length };
  const life = await liveUntilDeath(world, gateway, plan);
  return { plan, life, receipts: receipts.length - before.receipts, credits: credits.length - before.credits, orphans: world.heldReservations() };
}

/** What the gateway after it found belongs to the one that died. */
function note({ plan, life, receipts, credits, orphans }: Ended, recovery: Omit<Recovery, 'gateway'>, { findings, say }: RoundsOptions): void {
  const violations = [...life.violations, ...recovery.violations];
  findings.add(plan.kind, { ...recovery, reached: life.reached, requests: life.tally.requests, receipts, credits, orphans, violations });
  for (const violation of violations) say(`${plan.kind} (${plan.moment}): ${violation}`);
}

/** Runs rounds on one world, each gateway recovering what the one before it left; gives what the quiet end of the world showed. */
export async function runRounds(world: World, options: RoundsOptions): Promise<readonly string[]> {
  let ended: Ended | null = null;
  for (const plan of options.plans) {
    if (!options.timeIsLeft()) break;
    const { gateway, ...recovery } = await recover(world, plan);
    if (ended !== null) note(ended, recovery, options);
    ended = await live(world, gateway, plan);
  }
  const { gateway, ...recovery } = await recover(world, null);
  if (ended !== null) note(ended, recovery, options);
  return quietEnding(world, gateway);
}
