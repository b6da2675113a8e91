import { renderTable } from '@tollgate/testkit/programs';
import type { CheckVerdict } from '../goals/evaluate-goals.js';
import type { SubjectId } from '../subjects/subject.js';
import { digits, percent } from './numbers.js';

function outcome({ verdict, missedBy }: CheckVerdict): string {
  return missedBy > 0 ? `missed by ${percent(missedBy)}` : verdict;
}

const BOUND_OF: Readonly<Partial<Record<SubjectId, string>>> = {
  express: 'Express', node: 'the bare pipe', durable: 'waiting for the disk', parsing: 'parsing and printing',
};

function boundOf({ check: { bound }, besideBound }: CheckVerdict): string {
  if (bound === undefined) return '';
  const reached = besideBound === null ? 'not measured' : `${digits(besideBound)} ×`;
  return `${digits(bound.limit)} × ${BOUND_OF[bound.against] ?? bound.against}: ${reached}`;
}

function rowOf(verdict: CheckVerdict, reached: number): readonly string[] {
  const { goal, title, check } = verdict;
  const unit = check.unit === '' ? '' : ` ${check.unit}`;
  return [`${goal}. ${title}: ${check.text}`, `${check.comparison} ${digits(check.limit)}${unit}`, `${digits(reached)}${unit}`, outcome(verdict), boundOf(verdict)];
}

/** The checks goal by goal, in a line. */
function namesOf(verdicts: readonly CheckVerdict[]): string {
  const texts = new Map<number, readonly string[]>();
  for (const { goal, check } of verdicts) texts.set(goal, [...texts.get(goal) ?? [], check.text]);
  return [...texts].map(([goal, each]) => `${goal} (${each.join('; ')})`).join(', ');
}

/** Every goal that was measured with what was reached, met or missed and by how much, and its bound; the names of the others. */
export function renderGoals(verdicts: readonly CheckVerdict[]): string {
  const rows = verdicts.flatMap((verdict) => (verdict.reached === null ? [] : [rowOf(verdict, verdict.reached)]));
  const others = verdicts.filter(({ reached }) => reached === null);
  const table = rows.length === 0 ? '' : renderTable([['', 'goal', 'reached', '', 'bound'], ...rows]);
  return `Goals\n${table}${others.length === 0 ? '' : `Not measured: ${namesOf(others)}\n`}`;
}
