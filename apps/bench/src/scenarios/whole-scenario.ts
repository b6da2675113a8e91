import { targetOf } from '../load/load-generator.js';
import type { Body } from '../requests/bodies.js';
import type { RunningSubject, SubjectId } from '../subjects/subject.js';
import { useOf } from './cpu-use.js';
import { inRounds } from './rounds.js';
import type { Bench, Figure, Scenario, ScenarioResult } from './scenario.js';

export interface WholeOptions {
  readonly id: string;
  readonly title: string;
  readonly body: Body;
  readonly connections: number;
  readonly seconds: number;
  /** Until the runtime has compiled what requests run; the first scenario takes longest. */
  readonly warmUpSeconds: number;
  readonly subjects: readonly SubjectId[];
}

const FIGURES: readonly Figure[] = [
  { id: 'cpu', title: 'CPU per request', unit: 'µs', compared: 'ratio' },
  { id: 'throughput', title: 'throughput', unit: '/s', compared: 'ratio' },
  { id: 'stall', title: 'longest stall', unit: 'ms', compared: 'none' },
];

/** Whole replies as fast as they come: what a request costs, and how many there can be in a second. */
export async function measureWhole(bench: Bench, options: WholeOptions): Promise<ScenarioResult> {
  const { id, title, body, connections, seconds, warmUpSeconds, subjects } = options;
  const milliseconds = seconds * bench.secondsFactor * 1000;
  const load = (subject: RunningSubject, duration: number) => (
    bench.load.run({ load: 'closed', target: targetOf(subject, body.text), connections, milliseconds: duration }));
  const measurements = await inRounds(bench, {
    subjects,
    name: id,
    warmUp: (subject) => load(subject, warmUpSeconds * bench.secondsFactor * 1000),
    measure: async (subject) => {
      await subject.process.watchLoop();
      const { result, cpuMicroseconds } = await useOf(subject, () => load(subject, milliseconds));
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
  return { id, title, run: async (bench) => [await measureWhole(bench, options)] };
}
