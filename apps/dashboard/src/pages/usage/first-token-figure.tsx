import { firstToken as texts } from '#texts/first-token';
import { Spark } from '../../components/charts';
import { timeColumns } from '../../components/charts/time-series';
import { duration } from '../../format/duration';
import { periodColumns, unitOf } from '../../format/period';
import { useFirstTokens } from './use-first-tokens';
import { periodOf, type Scope, type UsageSearch } from './usage-search';
import classes from './usage.module.css';

interface FirstTokenFigureProps {
  readonly scope: Scope;
  readonly search: UsageSearch;
  readonly today: string;
}

/** Median time to the first token in the period, with its course. */
export function FirstTokenFigure({ scope, search, today }: FirstTokenFigureProps) {
  const { data } = useFirstTokens({ scope, search, today });
  const period = periodOf(search, today);
  const total = data?.total ?? null;
  return (
    <div className={classes['total']}>
      <dt>{texts.choice}</dt>
      <dd className="num">{total === null ? '–' : duration(total.p50)}</dd>
      <dd className={`${classes['change']} muted`}>{total === null ? '' : texts.slowWithin(duration(total.p95))}</dd>
      <dd><Spark values={data === undefined ? [] : timeColumns(periodColumns(period, unitOf(period)), data.data).map(({ times }) => times?.p50 ?? 0)} /></dd>
    </div>
  );
}
