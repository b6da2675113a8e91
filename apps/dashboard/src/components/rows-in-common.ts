/** Whether a list goes on from an earlier state of it, in which rows came or went at its ends: the first row of one is in the other one. */
export function haveRowsInCommon(before: readonly string[], after: readonly string[]): boolean {
  const [oldFirst] = before;
  const [newFirst] = after;
  if (oldFirst === undefined || newFirst === undefined) return false;
  return oldFirst === newFirst || before.includes(newFirst) || after.includes(oldFirst);
}
