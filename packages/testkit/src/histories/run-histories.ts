import { createHash } from 'node:crypto';
import { mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import * as fc from 'fast-check';
import { numberFromEnvironment } from '../programs/number-from-environment.js';

/** How many histories are played, from which seed and for how long. `npm run histories` sets this through the environment. */
export interface HistoryExtent {
  readonly histories: number;
  readonly seed: number;
  /** Maximum total time. Histories for which no time is left are skipped. */
  readonly minutes: number;
  /** `shown` if a person watches, `silent` in a test run. */
  readonly progress: 'shown' | 'silent';
}

type HistorySubject = 'memory' | 'sqlite' | 'postgres' | 'limits' | 'credits' | 'payments';

const USUAL_SEED = 20_261_121;
const USUAL_MINUTES = 2;

/** What the environment sets; by default the given number of histories. */
export function historyExtent(subject: HistorySubject, histories: number): HistoryExtent {
  return {
    histories: numberFromEnvironment(`HISTORIES_${subject.toUpperCase()}`, histories),
    seed: numberFromEnvironment('HISTORIES_SEED', USUAL_SEED),
    minutes: numberFromEnvironment('HISTORIES_MINUTES', USUAL_MINUTES),
    progress: process.env['HISTORIES_PROGRESS'] === 'shown' ? 'shown' : 'silent',
  };
}

const FOLDER = join(import.meta.dirname, 'regressions');
const NAME_LENGTH = 12;

/** Writes a failing history into the folder whose histories every test run replays. Returns the file name. */
function keepHistory(kind: string, history: History<unknown>): string {
  const text = `${JSON.stringify(history, null, 2)}\n`;
  const name = `${kind}-${createHash('sha256').update(text).digest('hex').slice(0, NAME_LENGTH)}.json`;
  mkdirSync(FOLDER, { recursive: true });
  writeFileSync(join(FOLDER, name), text);
  return name;
}

/** The stored histories, each of which failed once. */
export function keptHistories<Step>(kind: string): readonly History<Step>[] {
  const names = readdirSync(FOLDER).filter((name) => name.startsWith(`${kind}-`) && name.endsWith('.json')).toSorted();
  // `keepHistory` wrote the file from steps of the same kind.
  return names.map((name) => JSON.parse(readFileSync(join(FOLDER, name), 'utf8')) as History<Step>);
}

const MILLISECONDS_PER_MINUTE = 60_000;
const PROGRESS_EVERY_MILLISECONDS = 20_000;

/** The steps of a history in order. Those of an inner list run concurrently. */
export type History<Step> = readonly (readonly Step[])[];

interface HistoryKind<Step, Disagreement> {
  /** Name of the kind, with which the names of its stored histories begin. */
  readonly kind: string;
  /** The name of the store or limiter under test. */
  readonly name: string;
  readonly histories: fc.Arbitrary<History<Step>>;
  /** Plays a history. Returns the first disagreement, or `null` if there is none. */
  readonly play: (history: History<Step>) => Promise<Disagreement | null>;
}

/** Removes parts of this length as long as the history still fails. */
async function without<Step>(history: History<Step>, length: number, fails: (history: History<Step>) => Promise<boolean>): Promise<History<Step>> {
  let kept = history;
  for (let start = 0; start < kept.length;) {
    const shorter = [...kept.slice(0, start), ...kept.slice(start + length)];
    const isNotNeeded = await fails(shorter);
    if (isNotNeeded) kept = shorter;
    start += isNotNeeded ? 0 : length;
  }
  return kept;
}

/** Removes steps as long as the history still fails. */
async function smallest<Step>(history: History<Step>, fails: (history: History<Step>) => Promise<boolean>): Promise<History<Step>> {
  let kept = history;
  for (let length = history.length; length > 1;) {
    length = Math.ceil(length / 2);
    kept = await without(kept, length, fails);
  }
  return kept;
}

/**
 * Plays histories until one disagrees, the time has passed or all are played. Returns a report with the disagreement, its seed, the reduced history
 * and its file, or `null` if none disagreed.
 */
export async function runHistories<Step, Disagreement>(kind: HistoryKind<Step, Disagreement>, extent: HistoryExtent): Promise<string | null> {
  const { histories, play } = kind;
  const progress = new Progress(kind.name, extent);
  const property = fc.asyncProperty(histories, async (history) => {
    if (await play(history) !== null) return false;
    progress.note(history);
    return true;
  });
  const details = await fc.check(property, {
    seed: extent.seed, numRuns: extent.histories, interruptAfterTimeLimit: extent.minutes * MILLISECONDS_PER_MINUTE, endOnFailure: true,
  });
  const [failing] = details.counterexample ?? [];
  if (failing !== undefined) return describeFailure(kind, failing, `seed ${extent.seed}, path ${details.counterexamplePath ?? '-'}`);
  progress.end();
  return null;
}

async function describeFailure<Step, Disagreement>({ kind, name, play }: HistoryKind<Step, Disagreement>, failing: History<Step>, where: string): Promise<string> {
  const fewest = await smallest(failing, async (history) => await play(history) !== null);
  const disagreement = await play(fewest) ?? await play(failing);
  return `${name}: ${where}, kept as ${keepHistory(kind, fewest)}: ${JSON.stringify(disagreement, null, 2)}`;
}

/** Counts the histories that were played. Shows the number if a person watches. */
class Progress {
  readonly #startedAt = performance.now();
  #toldAt = performance.now();
  #histories = 0;
  #steps = 0;

  constructor(private readonly name: string, private readonly extent: HistoryExtent) {}

  note(history: History<unknown>): void {
    this.#histories += 1;
    this.#steps += history.flat().length;
    if (performance.now() - this.#toldAt < PROGRESS_EVERY_MILLISECONDS) return;
    this.#toldAt = performance.now();
    this.#say(this.#sum());
  }

  end(): void {
    this.#say(`seed ${this.extent.seed}, ${this.#sum()}, none disagreed`);
  }

  #sum(): string {
    const seconds = ((performance.now() - this.#startedAt) / 1000).toFixed(1);
    return `${this.#histories} of ${this.extent.histories} histories with ${this.#steps} steps in ${seconds} s`;
  }

  #say(line: string): void {
    if (this.extent.progress === 'shown') process.stderr.write(`${this.name}: ${line}\n`);
  }
}
