import type { SubjectId } from '../subjects/subject.js';
import { figureOf, ratioOf } from '../report.js';
import type { ScenarioResult } from '../scenarios/scenario.js';

/** One thing that a goal of the product asks of the figures. */
export interface GoalCheck {
  /** In a few words, as the report says it. */
  readonly text: string;
  readonly scenario: string;
  readonly figure: string;
  readonly subject: SubjectId;
  /** A ratio to this subject in the same rounds, or the figure itself. */
  readonly against: SubjectId | 'itself';
  readonly comparison: 'at most' | 'at least';
  readonly limit: number;
  /** Of the figure itself; empty for ratios. */
  readonly unit: string;
  /** What a gateway could reach: a ratio to a pass-through that does part of its work. Printed beside the goal and not judged. */
  readonly bound?: { readonly against: SubjectId; readonly limit: number };
}

export interface Goal {
  readonly number: number;
  readonly title: string;
  readonly checks: readonly GoalCheck[];
}

export interface CheckVerdict {
  readonly goal: number;
  readonly title: string;
  readonly check: GoalCheck;
  /** The median; `null` when the figure was not measured. */
  readonly reached: number | null;
  readonly verdict: 'met' | 'missed' | 'not measured';
  /** By how much of the limit it is missed, 0.1 for a tenth; 0 when it is not missed, or the limit is 0. */
  readonly missedBy: number;
  /** The ratio that the bound is about; `null` without a bound, or when it was not measured. */
  readonly besideBound: number | null;
}

type Ratio = Pick<GoalCheck, 'scenario' | 'figure' | 'subject' | 'against'>;

function reachedIn(results: readonly ScenarioResult[], { scenario, figure, subject, against }: Ratio): number | null {
  const result = results.find(({ id }) => id === scenario);
  if (result === undefined) return null;
  const spread = against === 'itself' ? figureOf(result, subject, figure) : ratioOf(result, { figure, subject, to: against });
  return spread?.median ?? null;
}

function verdictOf(check: GoalCheck, reached: number | null): Pick<CheckVerdict, 'verdict' | 'missedBy'> {
  if (reached === null) return { verdict: 'not measured', missedBy: 0 };
  const excess = check.comparison === 'at most' ? reached - check.limit : check.limit - reached;
  if (excess <= 0) return { verdict: 'met', missedBy: 0 };
  return { verdict: 'missed', missedBy: check.limit === 0 ? 0 : excess / check.limit };
}

/** Holds what was measured against every check of every goal. */
export function evaluateGoals(goals: readonly Goal[], results: readonly ScenarioResult[]): readonly CheckVerdict[] {
  return goals.flatMap(({ number, title, checks }) => checks.map((check) => {
    const reached = reachedIn(results, check);
    const besideBound = check.bound === undefined ? null : reachedIn(results, { ...check, against: check.bound.against });
    return { goal: number, title, check, reached, besideBound, ...verdictOf(check, reached) };
  }));
}
