import { existsSync, mkdirSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { fileURLToPath } from 'node:url';
import { RandomIds, SystemClock } from '@tollgate/adapters-node';
import { openSqliteStore } from '@tollgate/adapters-sqlite';
import { gatewayProgram } from '@tollgate/kit';
import { MeasuredProcess } from '../subjects/subject.js';
import { filledRecords, fillUsage } from '../seed/fill-usage.js';
import { counted } from './databases.js';
import type { Figure, Measurement, Scenario } from './scenario.js';

export interface UsageQuestion {
  /** Number of the round; each reads different pages. */
  readonly round: number;
}

/** Figures of a round. Durations are medians, in milliseconds. */
export interface UsageAnswer {
  readonly kind: 'usage';
  readonly values: {
    /** Duration of reading 100 records of one account. */
    readonly owner: number;
    /** Duration of reading 100 records of all accounts. */
    readonly operator: number;
    /** Duration of summing up 30 days of one account, by model. */
    readonly summary: number;
    /** Duration of summing up a year of one account, by week and model. */
    readonly year: number;
    /** Duration of summing up 30 days of all accounts, by day and either model or account. */
    readonly totals: number;
    /** Longest block of the event loop during the summaries of `year` and `totals`. */
    readonly block: number;
    /** Exported records per second. */
    readonly exported: number;
    /** Peak resident memory during the export, in MiB. */
    readonly memory: number;
    /** Growth of the resident memory after the first 50,000 exported records, in MiB. */
    readonly growth: number;
  };
}

function isUsageAnswer(message: unknown): message is UsageAnswer {
  return typeof message === 'object' && message !== null && 'kind' in message && message.kind === 'usage';
}

/** Number of records in the smaller database, which is the baseline. */
const FEW_RECORDS = 100_000;
/** Assumed speed of filling, for the progress display. */
const RECORDS_FILLED_PER_SECOND = 60_000;
const SECONDS_PER_ROUND = 20;
const ROUND_MILLISECONDS = 300_000;
/** Number of the round that is discarded, because V8 still compiles in it. */
const WARM_UP_ROUND = 0;
const START_MILLISECONDS = 30_000;
const PROGRAM = fileURLToPath(new URL('./usage-main.js', import.meta.url));
const TITLE = 'Reading usage by how many records there are';

const FIGURES: readonly Figure[] = [
  { id: 'owner', title: 'page of an account', unit: 'ms', compared: 'ratio' },
  { id: 'operator', title: 'page of all accounts', unit: 'ms', compared: 'ratio' },
  { id: 'summary', title: 'summary of 30 days', unit: 'ms', compared: 'ratio' },
  { id: 'year', title: 'year by week and model', unit: 'ms', compared: 'ratio' },
  { id: 'totals', title: 'month of all accounts', unit: 'ms', compared: 'ratio' },
  { id: 'block', title: 'longest block by these two', unit: 'ms', compared: 'none' },
  { id: 'exported', title: 'export', unit: 'records/s', compared: 'ratio' },
  { id: 'memory', title: 'memory of an export', unit: 'MiB', compared: 'ratio' },
  { id: 'growth', title: 'after its first 50,000 records', unit: 'MiB more', compared: 'none' },
];

interface UsageOptions {
  readonly folder: string;
  /** Folder of the checkout whose Node flags are used. */
  readonly root: string;
  /** Number of records in the larger of the two databases. */
  readonly records: number;
  /** Where the larger database is kept; `null` to delete it. */
  readonly databaseFile: string | null;
}

interface UsageSubject {
  readonly id: Measurement['subject'];
  readonly title: string;
  readonly process: MeasuredProcess;
}

interface UsageDatabase {
  readonly id: Measurement['subject'];
  readonly records: number;
  readonly file: string;
}

async function prepare({ file, records }: UsageDatabase, say: (text: string) => void): Promise<void> {
  const begun = performance.now();
  const isThere = existsSync(file);
  await (await openSqliteStore({ file, clock: new SystemClock(), processId: new RandomIds().processId() })).close();
  if (!isThere) fillUsage(file, records);
  const found = filledRecords(file);
  if (found !== records) throw new Error(`${file} holds ${counted(found, 'records')}. Was it filled with another --usage?`);
  say(`usage, ${counted(records, 'records')} ${isThere ? 'were there' : 'filled'} after ${Math.round((performance.now() - begun) / 1000)} s`);
}

async function startReader({ id, records, file }: UsageDatabase, { folder, root }: Pick<UsageOptions, 'folder' | 'root'>): Promise<UsageSubject> {
  const process = MeasuredProcess.start({ name: id, argv: [...gatewayProgram(root).argv.slice(0, -1), PROGRAM, file], folder, environment: {}, logFile: join(folder, `${id}.log`) });
  await process.printed(/ready/, START_MILLISECONDS);
  return { id, title: counted(records, 'records'), process };
}

async function measureRound({ id, title, process }: UsageSubject, round: number): Promise<Measurement> {
  const answer = process.message(isUsageAnswer, ROUND_MILLISECONDS);
  process.send({ round });
  return { subject: id, title, round, values: (await answer).values };
}

/** Measures how the duration of pages, summaries and exports depends on the number of usage records, without HTTP. */
export function usageScenario({ folder, root, records, databaseFile }: UsageOptions): Scenario {
  const own = join(folder, 'usage');
  const databases: readonly UsageDatabase[] = [
    { id: 'tollgate', records: FEW_RECORDS, file: join(own, 'few.db') },
    { id: 'tollgate-full', records, file: databaseFile === null ? join(own, 'many.db') : resolve(`${databaseFile}.usage-year`) },
  ];
  return {
    id: 'usage',
    title: TITLE,
    expectedSeconds: ({ longRounds }) => (FEW_RECORDS + records) / RECORDS_FILLED_PER_SECOND + (longRounds + 1) * SECONDS_PER_ROUND,
    run: async ({ longRounds, say }) => {
      mkdirSync(own, { recursive: true });
      const readers: UsageSubject[] = [];
      for (const database of databases) {
        say(`usage, filling: ${counted(database.records, 'records')}`);
        await prepare(database, say);
        readers.push(await startReader(database, { folder: own, root }));
      }
      const measurements: Measurement[] = [];
      for (let round = WARM_UP_ROUND; round <= longRounds; round += 1) {
        say(`usage, round ${round} of ${longRounds}`);
        for (const reader of round % 2 === 0 ? readers : readers.toReversed()) measurements.push(await measureRound(reader, round));
      }
      for (const { process } of readers) await process.stop();
      return [{ id: 'usage', title: TITLE, baseline: 'tollgate', figures: FIGURES, measurements: measurements.filter(({ round }) => round > WARM_UP_ROUND) }];
    },
  };
}
