import type { SubjectId } from '../subjects/subject.js';

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
