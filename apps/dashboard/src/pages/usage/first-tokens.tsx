import { lazy, Suspense, type ComponentProps } from 'react';
import { useRoute } from '../../api/use-route';
import { Loading, Part } from '../../components/part';
import { useModelNames } from '../models/model-names';
import type { SumsProps } from './usage-sums';
import { firstTokenQuery } from './usage-search';

const FirstTokenChart = lazy(() => import('../../components/charts/first-token-chart'));

const CARD_HEIGHT = 364;

type FirstTokensProps = Pick<SumsProps, 'scope' | 'search' | 'today'> & Omit<ComponentProps<typeof FirstTokenChart>, 'summary' | 'modelName'>;

/** The times to the first token of the requests of the period, by the same filters as the sums. */
export function FirstTokens({ scope, search, today, ...props }: FirstTokensProps) {
  const query = firstTokenQuery(search, today);
  const modelName = useModelNames();
  const own = useRoute('firstTokenSummary', { query }, { enabled: scope === 'own' });
  const all = useRoute('allFirstTokenSummary', { query: { ...query, account: search.account } }, { enabled: scope === 'all' });
  return (
    <Part query={scope === 'own' ? own : all} height={CARD_HEIGHT}>
      {(summary) => <Suspense fallback={<Loading height={CARD_HEIGHT} />}><FirstTokenChart summary={summary} modelName={modelName} {...props} /></Suspense>}
    </Part>
  );
}
