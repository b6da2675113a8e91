/** True if either list contains the other's first row, as after rows were added or removed at the ends. */
export function haveRowsInCommon(before: readonly string[], after: readonly string[]): boolean {
  const [oldFirst] = before;
  const [newFirst] = after;
  if (oldFirst === undefined || newFirst === undefined) return false;
  return oldFirst === newFirst || before.includes(newFirst) || after.includes(oldFirst);
}
