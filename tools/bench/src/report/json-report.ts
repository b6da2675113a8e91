import { arch, availableParallelism, platform } from 'node:os';
import type { CheckVerdict } from '../goals/evaluate-goals.js';
import type { ScenarioResult } from '../scenarios/scenario.js';
import { figureOf, ratioOf, subjectsOf } from './compare.js';

/** Where the figures come from, without a date, a name or a place. */
export interface Machine {
  readonly cores: number;
  readonly system: string;
  readonly node: string;
}

export function thisMachine(): Machine {
  return { cores: availableParallelism(), system: `${platform()} ${arch()}`, node: process.versions.node };
}

function summaryOf(result: ScenarioResult): readonly object[] {
  return [...subjectsOf(result).keys()].flatMap((subject) => result.figures.map(({ id, unit, compared }) => ({
    subject,
    figure: id,
    unit,
    value: figureOf(result, subject, id),
    ratio: compared === 'none' ? null : ratioOf(result, { figure: id, subject, to: result.baseline }),
  })));
}

/** Everything that was measured, as JSON: the summaries, every round, and the goals. */
export function jsonReport(results: readonly ScenarioResult[], verdicts: readonly CheckVerdict[]): string {
  const report = {
    machine: thisMachine(),
    scenarios: results.map((result) => ({ id: result.id, title: result.title, baseline: result.baseline, summary: summaryOf(result), rounds: result.measurements })),
    goals: verdicts,
  };
  return `${JSON.stringify(report, null, 2)}\n`;
}
