import type { ItemOf } from '../../api/use-route';
import type { Reply } from '../../api/call';

/** A request in a list, of the owner's account or, for operators, of any. */
export type UsageRow = ItemOf<'listUsage'> & { readonly account_id?: string };
/** A request with its charge explained. */
export type UsageDetail = Reply<'readUsage'> & { readonly account_id?: string; readonly upstream?: string | null };
/** Sums over whole days. */
export type UsageSums = Pick<Reply<'allUsageSummary'>, 'group_by' | 'as_of' | 'total' | 'series' | 'data'>;
export type SumBucket = UsageSums['data'][number];
