import type { CheckVerdict } from '../goals/evaluate-goals.js';
import { digits, percent } from './numbers.js';
import { renderTable } from '@tollgate/testkit/programs';

function outcome({ verdict, missedBy }: CheckVerdict): string {
  return missedBy > 0 ? `missed by ${percent(missedBy)}` : verdict;
}

/** Every goal with what was reached, met or missed and by how much. */
export function renderGoals(verdicts: readonly CheckVerdict[]): string {
  const rows = verdicts.map((verdict) => {
    const { goal, title, check, reached } = verdict;
    const unit = check.unit === '' ? '' : ` ${check.unit}`;
    return [
      `${goal}. ${title}: ${check.text}`, `${check.comparison} ${digits(check.limit)}${unit}`, reached === null ? '-' : `${digits(reached)}${unit}`, outcome(verdict),
    ];
  });
  return `Goals\n${renderTable([['', 'goal', 'reached', ''], ...rows])}`;
}
