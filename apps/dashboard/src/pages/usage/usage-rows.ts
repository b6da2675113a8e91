import type { ItemOf } from '../../api/use-route';
import type { Reply } from '../../api/call';

/** `account_id` for operators. */
export type UsageRow = ItemOf<'listUsage'> & { readonly account_id?: string };
/** With the explained charge. */
export type UsageDetail = Reply<'readUsage'> & { readonly account_id?: string; readonly upstream?: string | null };
/** Sums over whole days. */
export type UsageSums = Pick<Reply<'allUsageSummary'>, 'group_by' | 'as_of' | 'total' | 'series' | 'data'>;
export type SumBucket = UsageSums['data'][number];

function groupsIn(sums: UsageSums | undefined, kind: 'key' | 'account'): readonly string[] {
  if (sums?.group_by.includes(kind) !== true) return [];
  return [...new Set([...sums.series, ...sums.data].flatMap(({ group }) => group ?? []))];
}

/** Ids of the keys that the sums are divided by; none for other groups. */
export function keysIn(sums: UsageSums | undefined): readonly string[] {
  return groupsIn(sums, 'key');
}

/** Ids of the accounts that the sums are divided by; none for other groups. */
export function accountsIn(sums: UsageSums | undefined): readonly string[] {
  return groupsIn(sums, 'account');
}
