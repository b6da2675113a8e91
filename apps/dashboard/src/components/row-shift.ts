/**
 * By how many rows the ones that stay have moved down, when rows come or go at the front of a list; negative for up.
 * `null` where no row stays, since it is another list.
 */
export function rowShift(before: readonly string[], after: readonly string[]): number | null {
  const [oldFirst] = before;
  const [newFirst] = after;
  if (oldFirst === undefined || newFirst === undefined) return null;
  if (oldFirst === newFirst) return 0;
  const dropped = before.indexOf(newFirst);
  if (dropped > 0) return -dropped;
  const added = after.indexOf(oldFirst);
  return added > 0 ? added : null;
}
