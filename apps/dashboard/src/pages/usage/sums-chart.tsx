import type { ReactNode } from 'react';
import { charts } from '#texts/charts';
import { firstToken } from '#texts/first-token';
import { usage } from '#texts/usage';
import { useRoute } from '../../api/use-route';
import { isMeasure, type Measure, MeasureChoice, type OtherSeries, type RenderSeries, SpendChart } from '../../components/charts';
import { useHolderNames } from '../../components/holder-names';
import { TextLink } from '../../components/link';
import { periodName } from '../../components/period-picker';
import { dayLabel, monthLabel } from '../../format/day';
import { type ModelNamer, useModelNames } from '../models/model-names';
import { columnPeriod, periodColumns, unitOf, type Period, type PeriodUnit } from '../../format/period';
import { FirstTokens } from './first-tokens';
import { GroupSelect } from './group-select';
import type { SumsProps } from './usage-sums';
import { pointsOf, sumOf } from './sum-points';
import { accountsIn, type UsageSums as Sums } from './usage-rows';
import { changed, FIRST_TOKEN, groupOf, type Group, groupsQuery, seriesSearch } from './usage-search';

interface SumsChartProps extends SumsProps {
  readonly sums: Sums;
  readonly period: Period;
  readonly group: Group;
}

const texts = usage.chart;
const MOST_GROUPS = 20;
/** What the chart can show. */
const CHOICES = { ...charts.measures, [FIRST_TOKEN]: firstToken.choice };
const HEADINGS: Readonly<Record<PeriodUnit, string>> = { day: texts.days, week: texts.weeks, month: texts.months };

interface GroupsProps {
  readonly group: Group;
  readonly measure: Measure;
  readonly children: (others: OtherSeries) => ReactNode;
}

/** Reads all groups of the reader's own account or, for operators, the twenty groups with the largest charges. */
function Groups({ scope, search, today, group, measure, children }: Pick<SumsProps, 'scope' | 'search' | 'today'> & GroupsProps) {
  const query = groupsQuery(search, { today, group });
  const own = useRoute('usageSummary', { query }, { enabled: scope === 'own' });
  const all = useRoute('allUsageSummary', { query: { ...query, top: MOST_GROUPS, account: search.account } }, { enabled: scope === 'all' });
  const { data, isError } = scope === 'own' ? own : all;
  return children({ failed: isError, parts: data === undefined ? null : data.data.filter((bucket) => !bucket.is_other).map((bucket) => ({ id: bucket.group, total: sumOf(bucket, measure) })) });
}

interface Namers {
  readonly keyName: (id: string) => string;
  readonly modelName: ModelNamer;
  readonly accountName: (id: string) => string;
}

function nameOf(series: string | null, group: Group, { keyName, modelName, accountName }: Namers): string {
  switch (group) {
    case 'model': return series === null ? texts.noModel : modelName(series);
    case 'key': return series === null ? texts.noKey : keyName(series);
    case 'account': return accountName(series ?? '');
    case 'user': return series ?? texts.noUser;
    case 'none': return usage.sums.charged;
  }
}

/** A click on a bar shows the requests of its days. */
export function SumsChart({ sums, period, group, ...props }: SumsChartProps) {
  const { scope, search, today, onSearch, keyName } = props;
  const modelName = useModelNames();
  const accountName = useHolderNames(accountsIn(sums));
  const measure = isMeasure(search.measure) ? search.measure : 'cost';
  const points = pointsOf(sums, measure);
  const columns = periodColumns(period, unitOf(period));
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
  const renderSeries: RenderSeries = (id, link) => {
    const ofSeries = changed(search, seriesSearch(group, id, scope));
    return scope === 'own' ? <TextLink to="/usage" search={ofSeries} {...link} /> : <TextLink to="/operator/usage" search={ofSeries} {...link} />;
  };
  const choose = (chosen: keyof typeof CHOICES) => onSearch({ measure: chosen === 'cost' ? '' : chosen });
  const drawn = { columns, columnLabel, columnHeading: HEADINGS[unit], renderColumn, onColumn: (column: string) => onSearch(daysOf(column)) };
  const onView = (view: 'chart' | 'table') => onSearch(view === 'table' ? { view } : { view: '' });
  if (search.measure === FIRST_TOKEN) {
    return (
      <FirstTokens
        {...{ scope, search, today }} {...drawn} period={firstToken.period(periodName(period, today))} isTable={search.view === 'table'} onTable={(isTable) => onView(isTable ? 'table' : 'chart')}
        aside={<MeasureChoice labels={CHOICES} value={FIRST_TOKEN} onChange={choose} />}
      />
    );
  }
  return (
    <SpendChart
      title={texts.titles[measure]} measure={measure} period={texts.period[measure](periodName(period, today))} points={points} {...drawn}
      renderOthers={(list) => <Groups {...{ scope, search, today, group, measure }}>{list}</Groups>} nameOf={(series) => nameOf(series, group, { keyName, modelName, accountName })} {...(group === 'none' ? {} : { renderSeries })}
      view={search.view === 'table' ? 'table' : 'chart'} onView={onView}
      aside={<><MeasureChoice labels={CHOICES} value={measure} onChange={choose} /><GroupSelect scope={scope} search={search} value={groupOf(search, scope)} onChange={(chosen) => onSearch({ group: chosen })} /></>}
    />
  );
}
