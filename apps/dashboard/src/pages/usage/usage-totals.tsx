import type { ReactNode } from 'react';
import { usage } from '#texts/usage';
import { Amount } from '../../components/amount';
import { Spark } from '../../components/charts';
import { Trend } from '../../components/trend';
import { UnitsHelp } from '../../components/units-help';
import { daysFrom } from '../../format/day';
import { exactCount, shortCount } from '../../format/count';
import { decimalSum } from '../../format/decimal';
import { periodColumns, unitOf } from '../../format/period';
import { FirstTokenFigure } from './first-token-figure';
import type { SumBucket, UsageSums } from './usage-rows';
import { periodOf } from './usage-search';
import type { SumsProps } from './usage-sums';
import classes from './usage.module.css';

const texts = usage.sums;

interface TotalsProps extends Pick<SumsProps, 'scope' | 'search' | 'today' | 'before'> {
  readonly total: Pick<SumBucket, 'svc_tokens_debited' | 'svc_cost_usd' | 'requests' | 'prompt_tokens' | 'output_tokens'>;
  readonly sums: UsageSums;
}

type Total = TotalsProps['total'];
/** Returns an exact decimal. */
type ValueOf = (sums: Total) => string;

interface FigureProps extends Omit<TotalsProps, 'total'> {
  readonly name: ReactNode;
  readonly children: ReactNode;
  readonly total: Total;
  readonly valueOf: ValueOf;
}

function courseOf({ data }: UsageSums, columns: readonly string[], valueOf: ValueOf): readonly string[] {
  const values = new Map<string, string>();
  for (const bucket of data) values.set(bucket.period ?? '', decimalSum([values.get(bucket.period ?? '') ?? '0', valueOf(bucket)]));
  return columns.map((column) => values.get(column) ?? '0');
}

function Figure({ name, children, total, sums, valueOf, search, today, before }: FigureProps) {
  const period = periodOf(search, today);
  const isByPeriod = sums.data.some((bucket) => bucket.period !== null);
  return (
    <div className={classes['total']}>
      <dt>{name}</dt>
      <dd className="num">{children}</dd>
      <dd className={classes['change']}>{before !== undefined && <Trend now={valueOf(total)} before={valueOf(before)} period={texts.before(daysFrom(period.first, period.last))} />}</dd>
      {isByPeriod && <dd><Spark values={courseOf(sums, periodColumns(period, unitOf(period)), valueOf)} /></dd>}
    </div>
  );
}

/** The figures of the period, each against the period before and with its course. */
export function Totals(props: TotalsProps) {
  const { total } = props;
  const count = (name: string, field: 'requests' | 'prompt_tokens' | 'output_tokens') => (
    <Figure {...props} name={name} valueOf={(sums) => String(sums[field])}><span title={exactCount(total[field])}>{shortCount(total[field])}</span></Figure>
  );
  return (
    <dl className={classes['totals']}>
      <Figure {...props} name={<>{texts.cost} <UnitsHelp /></>} valueOf={(sums) => sums.svc_cost_usd}><Amount value={total.svc_tokens_debited} usd={total.svc_cost_usd} /></Figure>
      {count(texts.requests, 'requests')}
      {count(texts.prompt, 'prompt_tokens')}
      {count(texts.output, 'output_tokens')}
      <FirstTokenFigure {...props} />
    </dl>
  );
}
