import type { Goal } from '../report/goals.js';
import type { TimesReport } from './compare-times.js';

const MOST_APART_MILLISECONDS = 10;
const LEAST_P = 0.01;

/** Whether a stranger can tell known addresses from unknown ones. */
export function timesGoalsOf({ knownMedianMilliseconds: known, unknownMedianMilliseconds: unknown, p, answers }: TimesReport): readonly Goal[] {
  return [
    { what: 'one answer for all', reached: answers.length === 1 ? 'yes' : answers.join(' | '), isMet: answers.length === 1 },
    {
      what: `medians within ${MOST_APART_MILLISECONDS} ms`, reached: `known ${known.toFixed(1)} ms, unknown ${unknown.toFixed(1)} ms`,
      isMet: Math.abs(known - unknown) <= MOST_APART_MILLISECONDS,
    },
    { what: `rank test p above ${LEAST_P}`, reached: p.toFixed(3), isMet: p > LEAST_P },
  ];
}

/** One route as the terminal shows it. */
export function renderTimes(report: TimesReport): string {
  const goals = timesGoalsOf(report).map(({ what, reached, isMet }) => `  ${isMet ? 'met   ' : 'MISSED'} ${what}: ${reached}`);
  return [`equal-times: ${report.route}, ${report.tries} tries each of known and unknown addresses`, ...goals, ''].join('\n');
}
