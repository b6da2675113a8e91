import { type LoadResult, targetOf } from '../load/load-generator.js';
import { smallBody } from '../load/requests.js';
import {
  type Bench, EVERYONE, expectedSeconds, type Figure, inRounds, type Measurement, type Pace, type Pacing, type Scenario,
  type ScenarioResult, SMALL_WARM_UP,
} from './scenario.js';

const PER_SECOND = 500;
const SECONDS = 2;
const WARMING_CONNECTIONS = 32;

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

/** In the long rounds, since the rare long wait needs many requests to show. */
function pacingOf({ longRounds, secondsFactor }: Pace): Pacing {
  return { subjects: [...EVERYONE, 'durable'], seldom: ['node'], rounds: longRounds, seconds: SECONDS * secondsFactor, warmUp: SMALL_WARM_UP };
}

async function measure(bench: Bench): Promise<ScenarioResult> {
  const pacing = pacingOf(bench);
  const body = smallBody();
  const measurements = await inRounds(bench, {
    ...pacing,
    name: `latency at ${PER_SECOND}/s`,
    // As fast as they come: at this rate it would take minutes.
    warm: (subject, seconds) => (
      bench.load.run({ load: 'closed', target: targetOf(subject, body), connections: WARMING_CONNECTIONS, milliseconds: seconds * 1000 })),
    measure: async (subject) => valuesOf(
      await bench.load.run({ load: 'open', target: targetOf(subject, body), perSecond: PER_SECOND, milliseconds: pacing.seconds * 1000 })),
  });
  return {
    id: `latency-${PER_SECOND}`, title: `Latency added at ${PER_SECOND} small requests a second`, baseline: 'express', figures: FIGURES, measurements: added(measurements),
  };
}

/** How much longer a reply takes at a rate that leaves every subject time to spare. */
export const latencyScenario: Scenario = {
  id: 'latency',
  title: 'Latency added at a fixed rate',
  expectedSeconds: (bench) => expectedSeconds(bench, pacingOf(bench)),
  run: async (bench) => [await measure(bench)],
};
