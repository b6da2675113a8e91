import { join } from 'node:path';
import { type LoadCommand, type LoadResult, targetOf } from '../load/load-generator.js';
import { type Body, smallBody, streamedBody, typicalBody } from '../load/requests.js';
import type { BenchContext, RunningSubject, Subject } from '../subjects/subject.js';
import { tollgateEmbedded } from '../subjects/tollgate.js';
import { type Bench, type Figure, type Measurement, type Scenario, type ScenarioResult, turnsIn, useOf } from './scenario.js';
import { modelOf, type StreamShape } from './streams.js';

type Load = LoadCommand extends infer Command ? (Command extends LoadCommand ? Omit<Command, 'target'> : never) : never;

/** One of the loads that a process serves one after the other. */
interface Window {
  readonly title: string;
  readonly load: Load;
}

interface FreshWork {
  readonly id: string;
  readonly title: string;
  readonly body: Body;
  readonly windows: readonly Window[];
  readonly count: (result: LoadResult) => number;
}

/** Time limit of a window on a busy machine. */
const MAX_WINDOW_MILLISECONDS = 300_000;

/** Windows that end when the process has served these numbers of requests. */
function requestWindows(ends: readonly number[], connections: number): readonly Window[] {
  return ends.map((end, position) => ({
    title: `${position === 0 ? 'first' : 'to'} ${end.toLocaleString('en-US')}`,
    load: { load: 'closed', connections, milliseconds: MAX_WINDOW_MILLISECONDS, requests: end - (ends[position - 1] ?? 0) },
  }));
}

function streamWindow(title: string, { streams, events, intervalMilliseconds, seconds }: StreamShape): Window {
  return {
    title,
    load: { load: 'streams', streams, milliseconds: seconds * 1000, eventsPerStream: events, streamMilliseconds: events * intervalMilliseconds },
  };
}

function worksWith(streams: StreamShape): readonly FreshWork[] {
  const completed = (result: LoadResult): number => result.completed;
  return [
    { id: 'fresh-small', title: 'small requests', body: smallBody(), windows: requestWindows([1_000, 4_000, 16_000, 60_000], 32), count: completed },
    { id: 'fresh-agent', title: 'agent requests', body: typicalBody(), windows: requestWindows([500, 2_000, 8_000], 16), count: completed },
    {
      id: 'fresh-event', title: 'events', body: streamedBody(modelOf(streams)),
      windows: [streamWindow('first', streams), streamWindow('second', streams), streamWindow('third', streams)], count: ({ events }) => events,
    },
  ];
}

const BYTES_PER_MEBIBYTE = 1024 * 1024;

function figuresOf({ windows }: FreshWork): readonly Figure[] {
  return [
    { id: 'ready', title: 'ready after', unit: 'ms', compared: 'ratio' },
    { id: 'memory', title: 'memory when ready', unit: 'MiB', compared: 'ratio' },
    ...windows.map(({ title }): Figure => ({ id: title, title: `CPU, ${title}`, unit: 'µs', compared: 'ratio' })),
  ];
}

async function measureFrom(subject: RunningSubject, { body, windows, count }: FreshWork, { load }: Bench): Promise<Measurement['values']> {
  const { residentBytes } = await subject.process.sample();
  const values: Record<string, number> = { ready: subject.readyMilliseconds, memory: residentBytes / BYTES_PER_MEBIBYTE };
  for (const window of windows) {
    const { result, cpuMicroseconds } = await useOf(subject, () => load.run({ ...window.load, target: targetOf(subject, body) }));
    values[window.title] = cpuMicroseconds / count(result);
  }
  return values;
}

interface FreshOptions {
  readonly context: BenchContext;
  readonly root: string;
  readonly compareWith: string | null;
  readonly models: readonly string[];
  readonly streams: StreamShape;
}

function subjectsOf({ root, compareWith, models }: FreshOptions): readonly Subject[] {
  const gateway = { models, grown: null };
  const own = tollgateEmbedded({ ...gateway, id: 'tollgate', title: 'Tollgate, embedded', root });
  return compareWith === null ? [own] : [own, tollgateEmbedded({ ...gateway, id: 'tollgate-compared', title: 'Tollgate, other checkout', root: compareWith })];
}

/** Measures each subject in a new process, with a folder and a database of its own. */
async function measureWork(bench: Bench, work: FreshWork, { options, subjects }: { readonly options: FreshOptions; readonly subjects: readonly Subject[] }): Promise<ScenarioResult> {
  const measurements: Measurement[] = [];
  for (let round = 1; round <= bench.rounds; round += 1) {
    for (const subject of turnsIn(round, subjects, [])) {
      bench.say(`${work.id}, round ${round} of ${bench.rounds}: ${subject.title}`);
      const running = await subject.start({ ...options.context, folder: join(options.context.folder, `${work.id}-${round}`) });
      measurements.push({ subject: running.id, title: running.title, round, values: await measureFrom(running, work, bench) });
      await running.process.stop();
    }
  }
  const baseline = options.compareWith === null ? 'tollgate' : 'tollgate-compared';
  return { id: work.id, title: `A process's first ${work.title}, CPU of each`, baseline, figures: figuresOf(work), measurements };
}

/** Assumed duration of a round, for the progress display: all kinds of work, with one process each. */
const SECONDS_PER_ROUND = 75;

/** Measures the start, and what the first requests of a process cost. Every round starts new processes of all gateways. */
export function freshScenario(options: FreshOptions): Scenario {
  const subjects = subjectsOf(options);
  return {
    id: 'fresh',
    title: 'The first requests of a process',
    expectedSeconds: ({ rounds }) => rounds * subjects.length * SECONDS_PER_ROUND,
    run: async (bench) => {
      const results: ScenarioResult[] = [];
      for (const work of worksWith(options.streams)) results.push(await measureWork(bench, work, { options, subjects }));
      return results;
    },
  };
}
