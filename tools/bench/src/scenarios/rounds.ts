import type { RunningSubject, SubjectId } from '../subjects/subject.js';
import type { Bench, Measurement, Pace, WarmUp } from './scenario.js';
import type { LoadResult } from '../load/load-generator.js';

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

export interface RoundPlan extends Pacing {
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

export interface Use {
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
