/** Longest reason of a block, and longest message of maintenance. */
export const OPERATOR_TEXT_MAXIMUM_CHARACTERS = 500;

/** What is wrong with a reason or a message that an operator gives; `null` when it may be kept and shown. */
export function operatorTextProblem(text: string): string | null {
  if (text.trim() === '') return 'must not be empty';
  if (text.length > OPERATOR_TEXT_MAXIMUM_CHARACTERS) return `must have at most ${OPERATOR_TEXT_MAXIMUM_CHARACTERS} characters`;
  return /\p{Cc}|\p{Cs}|\p{Zl}|\p{Zp}/u.test(text) ? 'must be one line without control characters' : null;
}
