import { usage } from '#texts/usage';
import { SpendChart, type SpendPoint } from '../../components/charts';
import { TextLink } from '../../components/link';
import { periodName } from '../../components/period-picker';
import { dayLabel, monthLabel } from '../../format/day';
import { shortId } from '../../format/id';
import { columnPeriod, periodColumns, unitOf, type Period, type PeriodUnit } from '../../format/period';
import { GroupSelect } from './group-select';
import type { SumsProps } from './usage-sums';
import type { UsageSums as Sums } from './usage-rows';
import { changed, groupOf, type Group } from './usage-search';

interface SumsChartProps extends SumsProps {
  readonly sums: Sums;
  readonly period: Period;
  readonly group: Group;
}

const texts = usage.chart;
const HEADINGS: Readonly<Record<PeriodUnit, string>> = { day: texts.days, week: texts.weeks, month: texts.months };
function pointsOf({ data, series }: Sums): readonly SpendPoint[] {
  const others = series.find(({ is_other: isOther }) => isOther)?.groups ?? 0;
  return data.map(({ period, group, is_other: isOther, svc_tokens_debited: amount }) => ({ column: period ?? '', series: group, amount, ...(isOther ? { others } : {}) }));
}

function nameOf(series: string | null, group: Group, keyName: (id: string) => string): string {
  switch (group) {
    case 'model': return series ?? texts.noModel;
    case 'key': return series === null ? texts.noKey : keyName(series);
    case 'account': return shortId(series ?? '');
    case 'user': return series ?? texts.noUser;
    case 'none': return usage.sums.charged;
  }
}

/** A bar links to its days' requests. */
export function SumsChart({ sums, period, group, ...props }: SumsChartProps) {
  const { scope, search, today, onSearch, keyName } = props;
  const unit = unitOf(period);
  const daysOf = (column: string) => {
    const { first, last } = columnPeriod(column, unit, period);
    return { start: first, end: last };
  };
  const columnLabel = (column: string) => (unit === 'month' ? monthLabel(column) : dayLabel(column));
  const narrowed = (column: string) => changed(search, daysOf(column));
  const renderColumn = (column: string, label: string) => (scope === 'own'
    ? <TextLink to="/usage" search={narrowed(column)}>{label}</TextLink>
    : <TextLink to="/operator/usage" search={narrowed(column)}>{label}</TextLink>);
  return (
    <SpendChart
      title={texts.title} period={texts.period(periodName(period, today))} columns={periodColumns(period, unit)} points={pointsOf(sums)}
      nameOf={(series) => nameOf(series, group, keyName)} columnLabel={columnLabel} columnHeading={HEADINGS[unit]}
      renderColumn={renderColumn}
      onColumn={(column) => onSearch(daysOf(column))}
      view={search.view === 'table' ? 'table' : 'chart'} onView={(view) => onSearch(view === 'table' ? { view } : { view: '' })}
      aside={<GroupSelect scope={scope} search={search} value={groupOf(search, scope)} onChange={(chosen) => onSearch({ group: chosen })} />}
    />
  );
}
