import { type Spread, spreadOf } from '../statistics/spread.js';
import type { Measurement, ScenarioResult } from '../scenarios/scenario.js';
import type { SubjectId } from '../subjects/subject.js';

/** The values of a figure by round. */
function byRound(measurements: readonly Measurement[], subject: SubjectId, figure: string): ReadonlyMap<number, number> {
  const values = new Map<number, number>();
  for (const measurement of measurements) {
    const value = measurement.values[figure];
    if (measurement.subject === subject && value !== undefined) values.set(measurement.round, value);
  }
  return values;
}

/** What a figure of a subject came to over all rounds; `null` when it was not measured. */
export function figureOf({ measurements }: ScenarioResult, subject: SubjectId, figure: string): Spread | null {
  return spreadOf([...byRound(measurements, subject, figure).values()]);
}

/** What is compared: a figure of one subject to the same figure of another. */
export interface Comparison {
  readonly figure: string;
  readonly subject: SubjectId;
  readonly to: SubjectId;
}

/** The ratios of two subjects, each of the two in the same round; `null` when there is no such round. */
export function ratioOf({ measurements }: ScenarioResult, { figure, subject, to }: Comparison): Spread | null {
  const baseline = byRound(measurements, to, figure);
  const ratios: number[] = [];
  for (const [round, value] of byRound(measurements, subject, figure)) {
    const base = baseline.get(round);
    if (base !== undefined && base > 0) ratios.push(value / base);
  }
  return spreadOf(ratios);
}

/** The subjects of a result in the order in which they were measured. */
export function subjectsOf({ measurements }: ScenarioResult): ReadonlyMap<SubjectId, string> {
  return new Map(measurements.map(({ subject, title }) => [subject, title]));
}

