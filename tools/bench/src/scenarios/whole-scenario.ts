import { targetOf } from '../load/load-generator.js';
import type { Body } from '../requests/body.js';
import type { RunningSubject, SubjectId } from '../subjects/subject.js';
import { useOf } from './cpu-use.js';
import { expectedSeconds, inRounds, type Pacing } from './rounds.js';
import type { Bench, Figure, Pace, Scenario, ScenarioResult } from './scenario.js';
import type { WarmUp } from './warmth.js';

export interface WholeOptions {
  readonly id: string;
  readonly title: string;
  readonly body: Body;
  readonly connections: number;
  readonly seconds: number;
  readonly warmUp: WarmUp;
  readonly subjects: readonly SubjectId[];
}

const FIGURES: readonly Figure[] = [
  { id: 'cpu', title: 'CPU per request', unit: 'µs', compared: 'ratio' },
  { id: 'throughput', title: 'throughput', unit: '/s', compared: 'ratio' },
  { id: 'stall', title: 'longest stall', unit: 'ms', compared: 'none' },
];

function pacingOf({ rounds, secondsFactor }: Pace, { seconds, warmUp, subjects }: WholeOptions): Pacing {
  return { subjects, seldom: ['direct', 'node'], rounds, seconds: seconds * secondsFactor, warmUp };
}

/** About how many seconds a whole measurement takes. */
export function expectedOfWhole(bench: Pace, options: WholeOptions): number {
  return expectedSeconds(bench, pacingOf(bench, options));
}

/** Whole replies as fast as they come: what a request costs, and how many there can be in a second. */
export async function measureWhole(bench: Bench, options: WholeOptions): Promise<ScenarioResult> {
  const { id, title, body, connections } = options;
  const pacing = pacingOf(bench, options);
  const load = (subject: RunningSubject, seconds: number) => (
    bench.load.run({ load: 'closed', target: targetOf(subject, body), connections, milliseconds: seconds * 1000 }));
  const measurements = await inRounds(bench, {
    ...pacing,
    name: id,
    warm: load,
    measure: async (subject) => {
      await subject.process.watchLoop();
      const { result, cpuMicroseconds } = await useOf(subject, () => load(subject, pacing.seconds));
      const { longestMilliseconds } = await subject.process.loopDelay();
      return {
        cpu: cpuMicroseconds / result.completed,
        throughput: result.completed / (result.milliseconds / 1000),
        stall: longestMilliseconds,
      };
    },
  });
  return { id, title, baseline: 'express', figures: FIGURES, measurements };
}

/** A scenario of one body. */
export function wholeScenario(options: WholeOptions): Scenario {
  const { id, title } = options;
  return { id, title, expectedSeconds: (bench) => expectedOfWhole(bench, options), run: async (bench) => [await measureWhole(bench, options)] };
}
