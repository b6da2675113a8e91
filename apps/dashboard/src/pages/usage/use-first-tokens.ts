import type { UseQueryResult } from '@tanstack/react-query';
import type { Reply } from '../../api/call';
import { useRoute } from '../../api/use-route';
import { firstTokenQuery, type Scope, type UsageSearch } from './usage-search';

interface Asked {
  readonly scope: Scope;
  readonly search: UsageSearch;
  readonly today: string;
}

/** Times to the first token of the period's requests, by the same filters as the sums. */
export function useFirstTokens({ scope, search, today }: Asked): UseQueryResult<Reply<'firstTokenSummary'>> {
  const query = firstTokenQuery(search, today);
  const own = useRoute('firstTokenSummary', { query }, { enabled: scope === 'own' });
  const all = useRoute('allFirstTokenSummary', { query: { ...query, account: search.account } }, { enabled: scope === 'all' });
  return scope === 'own' ? own : all;
}
