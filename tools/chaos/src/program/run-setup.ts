import { join } from 'node:path';
import { SeededRandom } from '@tollgate/testkit/programs';
import { KILL_POINTS } from '../kill-points/kill-point.js';
import type { SetupReport } from '../report/report.js';
import { Findings } from '../rounds/findings.js';
import { type DeathKind, planRounds, type RoundCounts } from '../rounds/round-plan.js';
import { runRounds } from '../rounds/run-rounds.js';
import { sumOf } from '../rounds/sum-of-figures.js';
import type { Setup } from '../setups/setup.js';
import { type Surroundings, World } from '../worlds/world.js';

export interface SetupRun {
  readonly setup: Setup;
  readonly counts: RoundCounts;
  readonly seed: number;
  /** On the disk that a gateway's data would be on. */
  readonly folder: string;
  readonly surroundings: Surroundings;
  readonly timeIsLeft: () => boolean;
  readonly progress: (text: string) => void;
}

/** Rounds on one database; then a new one is begun, so that looking at all of it stays quick. */
const ROUNDS_PER_WORLD = 40;

/** Runs all rounds of one setup, world after world. */
export async function runSetup(run: SetupRun): Promise<SetupReport> {
  const { setup, counts, seed, folder, surroundings, timeIsLeft, progress } = run;
  // What is planned comes out the same for the same seed; what the load draws depends on time as well.
  const plans = planRounds(counts, setup, new SeededRandom(seed));
  const findings = new Findings([...KILL_POINTS, 'random']);
  const quietViolations: string[] = [];
  let current: DeathKind | 'quiet' = 'quiet';
  const onViolation = (text: string): void => {
    progress(`${setup.name}, ${current}: ${text}`);
    if (current === 'quiet') quietViolations.push(text);
    else findings.addViolation(current, text);
  };
  const figures = [];
  for (let done = 0; done < plans.length && timeIsLeft(); done += ROUNDS_PER_WORLD) {
    const world = await World.create({ setup, folder: join(folder, `${setup.name}-from-${done}`), surroundings, onViolation });
    const part = plans.slice(done, done + ROUNDS_PER_WORLD);
    figures.push(await runRounds(world, { plans: part, findings, timeIsLeft, onRound: (kind) => void (current = kind) }));
    progress(`${setup.name}: ${Math.min(done + ROUNDS_PER_WORLD, plans.length)} of ${plans.length} rounds, ${Math.round(performance.now() / 1000)} s`);
  }
  const begun = findings.all.reduce((sum, { runs }) => sum + runs, 0);
  return { setup: setup.name, notBegun: plans.length - begun, kinds: findings.all, figures: sumOf(figures), quietViolations };
}
