import type { LoadGenerator, LoadResult } from '../load/load-generator.js';
import type { RunningSubject, SubjectId } from '../subjects/subject.js';

export interface Figure {
  readonly id: string;
  readonly title: string;
  readonly unit: string;
  /** `none` if a ratio to the baseline would mean nothing. */
  readonly compared: 'ratio' | 'none';
}

export interface Measurement {
  readonly subject: SubjectId;
  readonly title: string;
  readonly round: number;
  readonly values: Readonly<Record<string, number>>;
}

export interface ScenarioResult {
  readonly id: string;
  readonly title: string;
  readonly baseline: SubjectId;
  readonly figures: readonly Figure[];
  readonly measurements: readonly Measurement[];
}

export interface Bench {
  readonly load: LoadGenerator;
  /** Subjects in the order of the first round. */
  readonly subjects: readonly RunningSubject[];
  readonly warmth: Warmth;
  readonly rounds: number;
  /** Rounds of scenarios whose measurements take seconds. */
  readonly longRounds: number;
  /** Factor of the duration of every measurement. */
  readonly secondsFactor: number;
  /** Does the work, and writes a CPU profile of the subject if one is wanted. */
  readonly profiled: <Result>(subject: RunningSubject, name: string, work: () => Promise<Result>) => Promise<Result>;
  readonly say: (text: string) => void;
}

export interface Pace extends Pick<Bench, 'warmth' | 'rounds' | 'longRounds' | 'secondsFactor'> {
  readonly subjects: readonly { readonly id: SubjectId }[];
}

export interface Scenario {
  readonly id: string;
  readonly title: string;
  /** Estimate for the progress display. It includes warm-ups, and marks the subjects as warm, as running the scenario would. */
  readonly expectedSeconds: (pace: Pace) => number;
  readonly run: (bench: Bench) => Promise<readonly ScenarioResult[]>;
}

/** Kinds of work; requests of one kind run the same code. */
type Work = 'small' | 'agent' | 'large' | 'messages' | 'streams' | 'formats';

/** Time for which a kind of work runs until V8 has compiled its code. */
export interface WarmUp {
  readonly work: Work;
  /** Longer than for pass-throughs, because a gateway runs more code. */
  readonly gatewaySeconds: number;
  readonly passThroughSeconds: number;
}

/** Warm-up for small requests. They run nearly all code, and the first ones cost ten times as much as later ones. */
export const SMALL_WARM_UP: WarmUp = { work: 'small', gatewaySeconds: 9, passThroughSeconds: 6 };

/** A running subject. Two subjects are the same only if they are the same object. */
interface Warmed {
  readonly id: SubjectId;
}

const PASS_THROUGHS: ReadonlySet<SubjectId> = new Set(['node', 'express', 'parsing', 'durable']);

function secondsFor(id: SubjectId, { gatewaySeconds, passThroughSeconds }: WarmUp): number {
  // The direct connection needs no warm-up, because its parts are warmed up with the other subjects.
  if (id === 'direct') return 0;
  return PASS_THROUGHS.has(id) ? passThroughSeconds : gatewaySeconds;
}

/**
 * Records for which kinds of work each subject is warm, so that it is warmed up once per kind. Quick runs do not shorten warm-ups, because a cold
 * gateway would seem far more expensive than it is.
 */
export class Warmth {
  readonly #warm = new WeakMap<Warmed, Map<Work, number>>();

  /** Returns the seconds of warm-up that are still missing, and records them as done. */
  take(subject: Warmed, warmUp: WarmUp): number {
    const given = this.#warm.get(subject) ?? new Map<Work, number>();
    const wanted = secondsFor(subject.id, warmUp);
    const before = given.get(warmUp.work) ?? 0;
    this.#warm.set(subject, given.set(warmUp.work, Math.max(before, wanted)));
    return Math.max(0, wanted - before);
  }
}

export const EVERYONE: readonly SubjectId[] = ['direct', 'node', 'express', 'tollgate', 'tollgate-compared', 'portkey'];

/** Seconds that a turn takes in addition to its measurement, for the progress display. */
const SECONDS_BETWEEN = 0.05;

export interface Pacing {
  /** Ids of the subjects to measure; those that do not run are skipped. */
  readonly subjects: readonly SubjectId[];
  /** Subjects that are measured only in every other round, beginning with the first. */
  readonly seldom: readonly SubjectId[];
  readonly rounds: number;
  /** Duration of one measurement. */
  readonly seconds: number;
  readonly warmUp: WarmUp;
}

interface RoundPlan extends Pacing {
  readonly name: string;
  readonly measure: (subject: RunningSubject) => Promise<Readonly<Record<string, number>>>;
  readonly warm: (subject: RunningSubject, seconds: number) => Promise<unknown>;
}

/** Warms up the subjects. Omits Portkey, and reports that, if it does not serve the scenario; rejects if another subject does not. */
async function warmedUp(bench: Bench, { subjects, warmUp, warm, name }: RoundPlan): Promise<readonly RunningSubject[]> {
  const able: RunningSubject[] = [];
  for (const subject of bench.subjects.filter(({ id }) => subjects.includes(id))) {
    const seconds = bench.warmth.take(subject, warmUp);
    if (seconds > 0) bench.say(`${name}, warming up: ${subject.title}`);
    const failure = seconds === 0 ? null : await warm(subject, seconds).then(() => null, (thrown: unknown) => thrown);
    if (failure === null) able.push(subject);
    else if (subject.id === 'portkey') bench.say(`${name}: ${subject.title} is left out: ${failure instanceof Error ? failure.message : 'it failed'}`);
    else throw failure;
  }
  return able;
}

/**
 * Subjects of a round in their order. Rounds count from 1. Even rounds are reversed, so that no subject always follows the same one, and omit
 * `seldom`.
 */
export function turnsIn<Subject extends { readonly id: SubjectId }>(round: number, subjects: readonly Subject[], seldom: readonly SubjectId[]): readonly Subject[] {
  return round % 2 === 1 ? subjects : subjects.filter(({ id }) => !seldom.includes(id)).toReversed();
}

export function expectedSeconds({ subjects, warmth }: Pace, plan: Pacing): number {
  const able = subjects.filter(({ id }) => plan.subjects.includes(id));
  const warming = able.reduce((sum, subject) => sum + warmth.take(subject, plan.warmUp), 0);
  const turns = Array.from({ length: plan.rounds }, (_none, position) => turnsIn(position + 1, able, plan.seldom).length);
  return warming + turns.reduce((sum, count) => sum + count, 0) * (plan.seconds + SECONDS_BETWEEN);
}

/** Measures every subject once per round, so that other load on the machine affects all of them alike. */
export async function inRounds(bench: Bench, plan: RoundPlan): Promise<readonly Measurement[]> {
  const subjects = await warmedUp(bench, plan);
  const measurements: Measurement[] = [];
  for (let round = 1; round <= plan.rounds; round += 1) {
    bench.say(`${plan.name}, round ${round} of ${plan.rounds}`);
    for (const subject of turnsIn(round, subjects, plan.seldom)) {
      const values = await bench.profiled(subject, plan.name, () => plan.measure(subject));
      measurements.push({ subject: subject.id, title: subject.title, round, values });
    }
  }
  return measurements;
}

/** Time for work that follows the reply, such as the log line. */
const SETTLING_MILLISECONDS = 30;

interface Use {
  readonly result: LoadResult;
  readonly cpuMicroseconds: number;
  readonly residentBytes: number;
}

/** Runs a load, and measures the CPU time that the subject's process uses during it. */
export async function useOf({ process }: RunningSubject, run: () => Promise<LoadResult>): Promise<Use> {
  const before = await process.sample();
  const result = await run();
  await new Promise((resolve) => {
    setTimeout(resolve, SETTLING_MILLISECONDS);
  });
  const after = await process.sample();
  return { result, cpuMicroseconds: after.cpuMicroseconds - before.cpuMicroseconds, residentBytes: after.residentBytes };
}
