import { LinearTokenEstimator } from '@tollgate/adapters-upstream';
import { prose } from '../load/requests.js';
import type { Figure, Measurement, Scenario } from './scenario.js';

const TEXT_CHARACTERS = 1_000_000;
const REPETITIONS = 8;
/** Assumed duration of a round, for the progress display. */
const SECONDS_PER_ROUND = 0.2;
const BYTES_PER_MEGABYTE = 1_000_000;

const CODE = `export async function readAll(paths: readonly string[]): Promise<Map<string, Buffer>> {
  const found = new Map<string, Buffer>();
  for (const path of paths) {
    if (found.has(path)) continue; // Duplicates in the list.
    found.set(path, await readFile(join(root, path), { flag: 'r' }));
  }
  return found;
}
`;
const CHINESE = '网关先为每个请求预留费用，生成结束之后再按实际用量结算；客户端中途离开时，只计算已经转发的内容。';

const TEXTS = [
  { id: 'prose', title: 'prose', text: prose(TEXT_CHARACTERS, 1) },
  { id: 'code', title: 'code', text: CODE.repeat(TEXT_CHARACTERS / CODE.length) },
  { id: 'chinese', title: 'Chinese', text: CHINESE.repeat(TEXT_CHARACTERS / CHINESE.length) },
  { id: 'letter', title: 'one letter', text: 'a'.repeat(TEXT_CHARACTERS) },
  { id: 'brackets', title: 'brackets', text: '[{'.repeat(TEXT_CHARACTERS / 2) },
];

const FIGURES: readonly Figure[] = TEXTS.map(({ id, title }) => ({ id, title, unit: 'MB/s', compared: 'ratio' }));

/** A lower bound for an estimator's time, because it only reads every character. */
function sumOfCodes(text: string): number {
  let sum = 0;
  for (let position = 0; position < text.length; position += 1) sum += text.charCodeAt(position);
  return sum;
}

function megabytesPerSecond(text: string, read: (text: string) => number): number {
  const bytes = Buffer.byteLength(text) * REPETITIONS;
  const { user, system } = process.cpuUsage();
  for (let time = 0; time < REPETITIONS; time += 1) {
    if (read(text) === 0) throw new Error('reading a text gave 0, so its speed was not measured');
  }
  const used = process.cpuUsage({ user, system });
  return bytes / BYTES_PER_MEGABYTE / ((used.user + used.system) / 1e6);
}

/** Measures the speed of the token estimator, compared with a loop that only reads. */
export const estimatorScenario: Scenario = {
  id: 'estimator',
  title: 'Speed of the token estimator, in megabytes of UTF-8',
  expectedSeconds: ({ rounds }) => (rounds + 1) * SECONDS_PER_ROUND,
  run: async ({ rounds }) => {
    const estimator = new LinearTokenEstimator();
    const count = (text: string): number => {
      const counter = estimator.startCounter();
      counter.add(text);
      return counter.tokens;
    };
    const readers = [['direct', 'a bare loop', sumOfCodes], ['tollgate', 'the estimator', count]] as const;
    const measureRound = (round: number): readonly Measurement[] => readers.map(([subject, title, read]) => (
      { subject, title, round, values: Object.fromEntries(TEXTS.map(({ id, text }) => [id, megabytesPerSecond(text, read)])) }));
    // The first round is discarded, because the runtime still compiles in it.
    const measurements = Array.from({ length: rounds + 1 }, (_none, round) => measureRound(round)).slice(1).flat();
    return [{ id: 'estimator', title: estimatorScenario.title, baseline: 'direct', figures: FIGURES, measurements }];
  },
};
