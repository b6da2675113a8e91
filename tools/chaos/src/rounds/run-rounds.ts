import { Watch, type WatchFigures } from '../worlds/watch.js';
import type { World } from '../worlds/world.js';
import type { Findings } from './findings.js';
import { quietEnding } from './quiet-ending.js';
import type { DeathKind, RoundPlan } from './round-plan.js';
import { runRound } from './run-round.js';

export interface RoundsOptions {
  readonly plans: readonly RoundPlan[];
  readonly findings: Findings;
  /** Whether another round may begin. */
  readonly timeIsLeft: () => boolean;
  /** Told of the kind of each round as it begins, and of the quiet in the end. */
  readonly onRound: (kind: DeathKind | 'quiet') => void;
}

/** What happened in one world. */
export interface WorldFigures extends WatchFigures {
  readonly requests: number;
  readonly receipts: number;
  readonly credits: number;
  /** Requests whose output was compared with what they were billed for. */
  readonly requestsCompared: number;
  readonly mostSlots: number;
}

/** Runs rounds on one world, under load throughout, and lets it end in quiet. */
export async function runRounds(world: World, { plans, findings, timeIsLeft, onRound }: RoundsOptions): Promise<WorldFigures> {
  const watch = new Watch(world);
  await world.fleet.start();
  await watch.start();
  const load = world.startLoad();
  for (const plan of plans) {
    if (!timeIsLeft()) break;
    onRound(plan.kind);
    findings.addRound(plan.kind, await runRound({ world, watch }, plan));
  }
  onRound('quiet');
  await load.stop();
  await watch.pause();
  await watch.inspector.reopen();
  await quietEnding({ world, watch });
  await watch.inspector.close();
  for (const dead of world.dead.all) findings.addDead(dead);
  const { outcomes, receipts, credits } = world.acknowledged;
  const { requestsCompared, slots } = watch.inspector;
  return { ...watch.figures, requests: outcomes.length, receipts: receipts.length, credits: credits.length, requestsCompared, mostSlots: slots.most };
}
