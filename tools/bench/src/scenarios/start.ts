import { EVERYONE } from './rounds.js';
import type { Bench, Figure, Scenario } from './scenario.js';

const BYTES_PER_MEBIBYTE = 1024 * 1024;
/** For what a start leaves behind to be collected. */
const REST_MILLISECONDS = 1000;

const FIGURES: readonly Figure[] = [
  { id: 'ready', title: 'ready after', unit: 'ms', compared: 'ratio' },
  { id: 'idle', title: 'idle memory', unit: 'MiB', compared: 'ratio' },
];

/** How soon every subject was ready, and what memory it holds before its first request. Runs before all load. */
export const startScenario: Scenario = {
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
    return [{ id: 'start', title: startScenario.title, baseline: 'express', figures: FIGURES, measurements }];
  },
};
