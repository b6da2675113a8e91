import type { RunningSubject, SubjectId } from '../subjects/subject.js';
import type { Bench, Measurement } from './scenario.js';

export interface RoundPlan {
  /** Which subjects take part; those that do not run are left out. */
  readonly subjects: readonly SubjectId[];
  readonly name: string;
  readonly measure: (subject: RunningSubject) => Promise<Readonly<Record<string, number>>>;
  /** Brings a subject up to its usual speed. */
  readonly warmUp: (subject: RunningSubject) => Promise<unknown>;
}

/** Those that take part and can: a peer that does not serve a scenario is left out of it, and said so. */
async function warmedUp(bench: Bench, { subjects, warmUp, name }: RoundPlan): Promise<readonly RunningSubject[]> {
  const able: RunningSubject[] = [];
  for (const subject of bench.subjects.filter(({ id }) => subjects.includes(id))) {
    const failure = await warmUp(subject).then(() => null, (thrown: unknown) => thrown);
    if (failure === null) able.push(subject);
    else if (subject.id === 'portkey') bench.say(`${name}: ${subject.title} is left out: ${failure instanceof Error ? failure.message : 'it failed'}`);
    else throw failure;
  }
  return able;
}

/** Measures every subject once in each round, so that what else the machine does touches all of them alike. */
export async function inRounds(bench: Bench, plan: RoundPlan): Promise<readonly Measurement[]> {
  const subjects = await warmedUp(bench, plan);
  const measurements: Measurement[] = [];
  for (let round = 1; round <= bench.rounds; round += 1) {
    bench.say(`${plan.name}, round ${round} of ${bench.rounds}`);
    for (const subject of subjects) {
      const values = await bench.profiled(subject, plan.name, () => plan.measure(subject));
      measurements.push({ subject: subject.id, title: subject.title, round, values });
    }
  }
  return measurements;
}
