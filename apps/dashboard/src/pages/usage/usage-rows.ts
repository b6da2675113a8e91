import type { ItemOf } from '../../api/use-route';
import type { Reply } from '../../api/call';

/** Has an `account_id` for operators. */
export type UsageRow = ItemOf<'listUsage'> & { readonly account_id?: string };
/** A usage record with its explained charge. */
export type UsageDetail = Reply<'readUsage'> & { readonly account_id?: string; readonly upstream?: string | null };
/** Sums over whole days. */
export type UsageSums = Pick<Reply<'allUsageSummary'>, 'group_by' | 'as_of' | 'total' | 'series' | 'data'>;
export type SumBucket = UsageSums['data'][number];

function groupsIn(sums: UsageSums | undefined, kind: 'key' | 'account'): readonly string[] {
  if (sums?.group_by.includes(kind) !== true) return [];
  return [...new Set([...sums.series, ...sums.data].flatMap(({ group }) => group ?? []))];
}

/** Ids of the keys in sums by key; none for other sums. */
export function keysIn(sums: UsageSums | undefined): readonly string[] {
  return groupsIn(sums, 'key');
}

/** Ids of the accounts in sums by account; none for other sums. */
export function accountsIn(sums: UsageSums | undefined): readonly string[] {
  return groupsIn(sums, 'account');
}
