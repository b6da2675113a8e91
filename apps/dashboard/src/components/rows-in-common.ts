/** True if the first row of one list is in the other: rows were added or removed at its ends. */
export function haveRowsInCommon(before: readonly string[], after: readonly string[]): boolean {
  const [oldFirst] = before;
  const [newFirst] = after;
  if (oldFirst === undefined || newFirst === undefined) return false;
  return oldFirst === newFirst || before.includes(newFirst) || after.includes(oldFirst);
}
