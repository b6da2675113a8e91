import { lazy, Suspense, type ComponentProps } from 'react';
import { Loading, Part } from '../../components/part';
import { useModelNames } from '../models/model-names';
import type { SumsProps } from './usage-sums';
import { useFirstTokens } from './use-first-tokens';

const FirstTokenChart = lazy(() => import('../../components/charts/first-token-chart'));

const CARD_HEIGHT = 364;

type FirstTokensProps = Pick<SumsProps, 'scope' | 'search' | 'today'> & Omit<ComponentProps<typeof FirstTokenChart>, 'summary' | 'modelName'>;

export function FirstTokens({ scope, search, today, ...props }: FirstTokensProps) {
  const query = useFirstTokens({ scope, search, today });
  const modelName = useModelNames();
  return (
    <Part query={query} height={CARD_HEIGHT}>
      {(summary) => <Suspense fallback={<Loading height={CARD_HEIGHT} />}><FirstTokenChart summary={summary} modelName={modelName} {...props} /></Suspense>}
    </Part>
  );
}
