import { targetOf } from '../load/load-generator.js';
import type { LoadResult } from '../load/load-messages.js';
import { smallBody } from '../requests/bodies.js';
import type { RunningSubject } from '../subjects/subject.js';
import { inRounds } from './rounds.js';
import type { Bench, Figure, Measurement, Scenario, ScenarioResult } from './scenario.js';

const RATES = [{ perSecond: 200, seconds: 2 }, { perSecond: 500, seconds: 3 }] as const;
const WARM_UP_SECONDS = 2;

const FIGURES: readonly Figure[] = [
  { id: 'p50', title: 'added p50', unit: 'ms', compared: 'ratio' },
  { id: 'p99', title: 'added p99', unit: 'ms', compared: 'ratio' },
  { id: 'p999', title: 'added p99.9', unit: 'ms', compared: 'ratio' },
  { id: 'late', title: 'sent later, p99', unit: 'ms', compared: 'none' },
];

/** What a subject adds to the durations of the same round without it. */
export function added(measurements: readonly Measurement[]): readonly Measurement[] {
  const direct = new Map(measurements.filter(({ subject }) => subject === 'direct').map(({ round, values }) => [round, values]));
  return measurements.filter(({ subject }) => subject !== 'direct').map((measurement) => ({
    ...measurement,
    values: Object.fromEntries(Object.entries(measurement.values).map(([figure, value]) => (
      [figure, value - (direct.get(measurement.round)?.[figure] ?? 0)]))),
  }));
}

function valuesOf({ latency: { p50, p99, p999 }, lateness }: LoadResult): Readonly<Record<string, number>> {
  return { p50, p99, p999, late: lateness.p99 };
}

async function measureAt(bench: Bench, { perSecond, seconds: wanted }: (typeof RATES)[number]): Promise<ScenarioResult> {
  const body = smallBody().text;
  const load = (subject: RunningSubject, seconds: number) => (
    bench.load.run({ load: 'open', target: targetOf(subject, body), perSecond, milliseconds: seconds * bench.secondsFactor * 1000 }));
  const measurements = await inRounds(bench, {
    subjects: ['direct', 'node', 'express', 'tollgate', 'tollgate-compared', 'portkey'],
    name: `latency at ${perSecond}/s`,
    warmUp: (subject) => load(subject, WARM_UP_SECONDS),
    measure: async (subject) => valuesOf(await load(subject, wanted)),
  });
  return {
    id: `latency-${perSecond}`, title: `Latency added at ${perSecond} small requests a second`, baseline: 'express', figures: FIGURES, measurements: added(measurements),
  };
}

/** How much longer a reply takes at a rate that leaves every subject time to spare. */
export const latencyScenario: Scenario = {
  id: 'latency',
  title: 'Latency added at fixed rates',
  run: async (bench) => {
    const results: ScenarioResult[] = [];
    for (const rate of RATES) results.push(await measureAt(bench, rate));
    return results;
  },
};
