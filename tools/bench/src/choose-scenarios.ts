import { type Bench, EVERYONE, type Figure, type Scenario, SMALL_WARM_UP } from './scenarios/scenario.js';
import { largeBody, smallBody, typicalBody } from './load/requests.js';
import type { BenchOptions } from './options.js';
import type { SubjectId, BenchContext } from './subjects/subject.js';
import { WHOLE_MODEL } from './upstream/replies.js';
import { latencyScenario, messagesScenario, wholeScenario } from './scenarios/whole-requests.js';
import { estimatorScenario } from './scenarios/estimator.js';
import { formatsScenario } from './scenarios/formats.js';
import { freshScenario } from './scenarios/fresh.js';
import { growthScenario, sharedScenario } from './scenarios/databases.js';
import { modelOf, SOAK_SHAPE, soakScenario, type StreamShape, streamsScenario } from './scenarios/streams.js';
import { usageScenario } from './scenarios/usage.js';

interface ScenarioNeeds {
  readonly options: BenchOptions;
  readonly context: BenchContext;
  readonly root: string;
}

/** Scenarios that the options select, and unknown names among the selected. */
export function chooseScenarios(needs: ScenarioNeeds): { readonly chosen: readonly Scenario[]; readonly unknown: readonly string[] } {
  const all = allScenarios(needs);
  const { only, extent } = needs.options;
  const unknown = only.filter((name) => all.every(({ id }) => id !== name));
  if (only.length > 0) return { chosen: all.filter(({ id }) => only.includes(id)), unknown };
  return { chosen: all.filter(({ id }) => extent === 'full' || !LONG.includes(id)), unknown };
}

/** Scenarios that take minutes; they run with `--full`, or if they are named. */
const LONG: readonly string[] = ['fresh', 'usage', 'soak'];

const WITH_PARSING: readonly SubjectId[] = [...EVERYONE, 'parsing'];
const STREAM_SHAPE: StreamShape = { streams: 100, events: 200, intervalMilliseconds: 10, seconds: 3 };

export const BENCH_MODELS: readonly string[] = [WHOLE_MODEL, ...[STREAM_SHAPE, SOAK_SHAPE].map(modelOf)];

/** All scenarios, in the order in which they run. `start` is the first, so that it runs before any load. */
function allScenarios({ options, context, root }: ScenarioNeeds): readonly Scenario[] {
  return [
    startScenario,
    wholeScenario({ id: 'small', title: 'Small whole request (300 B)', body: smallBody(), connections: 32, seconds: 1, warmUp: SMALL_WARM_UP, subjects: EVERYONE }),
    latencyScenario,
    streamsScenario({ id: 'streams', title: '100 streams of 200 events', shape: STREAM_SHAPE, subjects: EVERYONE }),
    wholeScenario({
      id: 'agent', title: 'Agent request (60 KB, 40 messages, 20 tools)', body: typicalBody(), connections: 16, seconds: 0.8,
      warmUp: { work: 'agent', gatewaySeconds: 4, passThroughSeconds: 4 }, subjects: WITH_PARSING,
    }),
    wholeScenario({
      id: 'large', title: 'Large request (1.5 MB)', body: largeBody(), connections: 2, seconds: 0.8,
      warmUp: { work: 'large', gatewaySeconds: 1.5, passThroughSeconds: 1.5 }, subjects: WITH_PARSING,
    }),
    messagesScenario,
    formatsScenario,
    growthScenario({ context, root, accounts: options.growthAccounts, databaseFile: options.fullDatabase }),
    usageScenario({ folder: context.folder, root, records: options.usageRecords, databaseFile: options.fullDatabase }),
    sharedScenario({ context, root, compareWith: options.compareWith }),
    estimatorScenario,
    freshScenario({ context, root, compareWith: options.compareWith, models: BENCH_MODELS, streams: STREAM_SHAPE }),
    soakScenario,
  ];
}

const BYTES_PER_MEBIBYTE = 1024 * 1024;
/** Time after the start for garbage to be collected. */
const REST_MILLISECONDS = 1000;

const START_FIGURES: readonly Figure[] = [
  { id: 'ready', title: 'ready after', unit: 'ms', compared: 'ratio' },
  { id: 'idle', title: 'idle memory', unit: 'MiB', compared: 'ratio' },
];

/** Measures the time until each subject is ready, and its memory before the first request. */
const startScenario: Scenario = {
  id: 'start',
  title: 'Start and idle memory',
  expectedSeconds: () => REST_MILLISECONDS / 1000,
  run: async (bench: Bench) => {
    await new Promise((resolve) => {
      setTimeout(resolve, REST_MILLISECONDS);
    });
    const measurements = [];
    for (const { id, title, process, readyMilliseconds } of bench.subjects.filter((subject) => EVERYONE.includes(subject.id))) {
      const { residentBytes } = await process.sample();
      measurements.push({ subject: id, title, round: 1, values: { ready: readyMilliseconds, idle: residentBytes / BYTES_PER_MEBIBYTE } });
    }
    return [{ id: 'start', title: startScenario.title, baseline: 'express', figures: START_FIGURES, measurements }];
  },
};
