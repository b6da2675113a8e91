import type { UsageSlice } from '@tollgate/core';

/** Shows a slice as `period group charge`. For the slice of all groups that are not listed, the group is `other` with their number. */
export function shownSlice({ period, group, isOther, groups, sums }: UsageSlice): string {
  return `${period ?? '-'} ${isOther ? `other(${groups})` : group ?? 'none'} ${sums.charged.toString()}`;
}
