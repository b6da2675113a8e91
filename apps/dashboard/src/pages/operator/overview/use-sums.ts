import { useRoute } from '../../../api/use-route';
import { addDays } from '../../../format/day';

export const REFRESH_EVERY = 15_000;

/** Sums of whole days, including the first and the last. */
export function useSums(first: string, last: string, grouped: { readonly group_by?: string; readonly top?: number } = {}) {
  return useRoute('allUsageSummary', { query: { start: first, end: addDays(last, 1), ...grouped } }, { refetchInterval: REFRESH_EVERY * 4 });
}
