import type { LoadGenerator, LoadResult } from '../load/load-generator.js';
import type { RunningSubject, SubjectId } from '../subjects/subject.js';

/** One kind of figure, as tables show it. */
export interface Figure {
  readonly id: string;
  readonly title: string;
  readonly unit: string;
  /** How its ratio to the baseline is made; `none` where a ratio says nothing. */
  readonly compared: 'ratio' | 'none';
}

/** The figures of one subject in one round, by the figures' ids. */
export interface Measurement {
  readonly subject: SubjectId;
  readonly title: string;
  readonly round: number;
  readonly values: Readonly<Record<string, number>>;
}

export interface ScenarioResult {
  readonly id: string;
  readonly title: string;
  /** Whose figures are 1. */
  readonly baseline: SubjectId;
  readonly figures: readonly Figure[];
  readonly measurements: readonly Measurement[];
}

/** What is there to measure with, and what to measure. */
export interface Bench {
  readonly load: LoadGenerator;
  /** In the order in which the first round measures them. */
  readonly subjects: readonly RunningSubject[];
  readonly warmth: Warmth;
  readonly rounds: number;
  /** Of what takes seconds each time, whose figures need fewer rounds to hold still. */
  readonly longRounds: number;
  /** Stretches or shortens every measurement. */
  readonly secondsFactor: number;
  /** Writes a profile of what the gateway does meanwhile, when the bench was asked to. */
  readonly profiled: <Result>(subject: RunningSubject, name: string, work: () => Promise<Result>) => Promise<Result>;
  readonly say: (text: string) => void;
}

/** What it depends on how long a scenario takes. */
export interface Pace extends Pick<Bench, 'warmth' | 'rounds' | 'longRounds' | 'secondsFactor'> {
  /** Whether they run already or not. */
  readonly subjects: readonly { readonly id: SubjectId }[];
}

export interface Scenario {
  readonly id: string;
  readonly title: string;
  /** The estimated seconds, for the progress display; takes the warmth that it would give. */
  readonly expectedSeconds: (pace: Pace) => number;
  readonly run: (bench: Bench) => Promise<readonly ScenarioResult[]>;
}

/** What requests have in common that run the same code. */
type Work = 'small' | 'agent' | 'large' | 'messages' | 'streams' | 'formats';

/** How long a kind of work has to last until the runtime has compiled what it runs. */
export interface WarmUp {
  readonly work: Work;
  /** For subjects that parse requests, which is more code than passing them on. */
  readonly gatewaySeconds: number;
  readonly passThroughSeconds: number;
}

/** For the requests that run nearly all the code there is: the first of them cost ten times as much. */
export const SMALL_WARM_UP: WarmUp = { work: 'small', gatewaySeconds: 9, passThroughSeconds: 6 };

/** One that can be warm, told apart from others by being another object. */
interface Warmed {
  readonly id: SubjectId;
}

const PASS_THROUGHS: ReadonlySet<SubjectId> = new Set(['node', 'express', 'parsing', 'durable']);

function secondsFor(id: SubjectId, { gatewaySeconds, passThroughSeconds }: WarmUp): number {
  // What it consists of serves the warm-ups of all others.
  if (id === 'direct') return 0;
  return PASS_THROUGHS.has(id) ? passThroughSeconds : gatewaySeconds;
}

/**
 * Knows what every subject is warm for, so that it is warmed up once for each kind of work, whichever scenario comes first.
 * Seconds are never made shorter for a quick run: a gateway that is cold looks far dearer than it is.
 */
export class Warmth {
  readonly #warm = new WeakMap<Warmed, Map<Work, number>>();

  /** How many seconds of its work a subject lacks; they count as given from then on. */
  take(subject: Warmed, warmUp: WarmUp): number {
    const given = this.#warm.get(subject) ?? new Map<Work, number>();
    const wanted = secondsFor(subject.id, warmUp);
    const before = given.get(warmUp.work) ?? 0;
    this.#warm.set(subject, given.set(warmUp.work, Math.max(before, wanted)));
    return Math.max(0, wanted - before);
  }
}

/** Subjects that can be measured side by side. */
export const EVERYONE: readonly SubjectId[] = ['direct', 'node', 'express', 'tollgate', 'tollgate-compared', 'portkey'];

/** For asking a process before and after. */
const SECONDS_BETWEEN = 0.05;

/** Who is measured, how often and for how long. */
export interface Pacing {
  /** Which subjects take part; those that do not run are left out. */
  readonly subjects: readonly SubjectId[];
  /** Those that nothing is compared with, which are measured in every other round, the first among them. */
  readonly seldom: readonly SubjectId[];
  readonly rounds: number;
  /** Of one measurement. */
  readonly seconds: number;
  readonly warmUp: WarmUp;
}

interface RoundPlan extends Pacing {
  readonly name: string;
  readonly measure: (subject: RunningSubject) => Promise<Readonly<Record<string, number>>>;
  /** Brings a subject up to its usual speed. */
  readonly warm: (subject: RunningSubject, seconds: number) => Promise<unknown>;
}

/** Those that take part and can: a peer that does not serve a scenario is left out of it, and said so. */
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

/** The subjects of a round, counted from 1, in their order. Every other round goes backwards, so that no subject always follows the same one. */
export function turnsIn<Subject extends { readonly id: SubjectId }>(round: number, subjects: readonly Subject[], seldom: readonly SubjectId[]): readonly Subject[] {
  return round % 2 === 1 ? subjects : subjects.filter(({ id }) => !seldom.includes(id)).toReversed();
}

/** About how many seconds a plan takes; gives its subjects the warmth that it would give them. */
export function expectedSeconds({ subjects, warmth }: Pace, plan: Pacing): number {
  const able = subjects.filter(({ id }) => plan.subjects.includes(id));
  const warming = able.reduce((sum, subject) => sum + warmth.take(subject, plan.warmUp), 0);
  const turns = Array.from({ length: plan.rounds }, (_none, position) => turnsIn(position + 1, able, plan.seldom).length);
  return warming + turns.reduce((sum, count) => sum + count, 0) * (plan.seconds + SECONDS_BETWEEN);
}

/** Measures every subject once in each round, so that what else the machine does touches all of them alike. */
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

/** For what a request leaves to be done after its reply, such as its line in the log. */
const SETTLING_MILLISECONDS = 30;

interface Use {
  readonly result: LoadResult;
  readonly cpuMicroseconds: number;
  readonly residentBytes: number;
}

/** Runs a load and tells what of the machine's time the subject's process took for it. */
export async function useOf({ process }: RunningSubject, run: () => Promise<LoadResult>): Promise<Use> {
  const before = await process.sample();
  const result = await run();
  await new Promise((resolve) => {
    setTimeout(resolve, SETTLING_MILLISECONDS);
  });
  const after = await process.sample();
  return { result, cpuMicroseconds: after.cpuMicroseconds - before.cpuMicroseconds, residentBytes: after.residentBytes };
}
