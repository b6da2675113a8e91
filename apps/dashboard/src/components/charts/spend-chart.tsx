import { Button, Skeleton } from '@mantine/core';
import { lazy, Suspense, useMemo, useState, type ReactNode } from 'react';
import { charts } from '#texts/charts';
import { dayLabel } from '../../format/day';
import { Card } from '../card';
import classes from './charts.module.css';
import { ChartBoundary } from './chart-boundary';
import { ChartLegend, type RenderOthers, type RenderSeries } from './chart-legend';
import { exactText, type Measure } from './measure';
import { spendTable, type SpendPoint, type SpendSeries } from './spend-series';
import { useAfterPaint } from './use-after-paint';

const StackedBars = lazy(async () => ({ default: (await import('./bars')).StackedBars }));
const SpendFigures = lazy(() => import('./spend-figures'));

export type ChartView = 'chart' | 'table';

interface SpendChartProps {
  readonly title: string;
  /** Default: cost. */
  readonly measure?: Measure;
  /** Reads the series that the gateway summed, and lists them. */
  readonly renderOthers?: RenderOthers;
  /** Links the names of the legend to the requests of their series. */
  readonly renderSeries?: RenderSeries;
  /** Beginning of the chart's text alternative: `Spend, 24 Oct to 22 Nov`. */
  readonly period: string;
  /** In order: UTC days, or first days of weeks or months. */
  readonly columns: readonly string[];
  readonly points: readonly SpendPoint[];
  readonly nameOf: (series: string | null) => string;
  /** Default `dayLabel`. */
  readonly columnLabel?: (column: string) => string;
  /** Default "Day (UTC)". */
  readonly columnHeading?: string;
  /** Links to the column's records in the table. */
  readonly renderColumn?: (column: string, label: string) => ReactNode;
  /** Called when a bar is clicked. */
  readonly onColumn?: (column: string) => void;
  /** The view if the page controls it, for example in its URL; if absent, the chart keeps its own. */
  readonly view?: ChartView;
  readonly onView?: (view: ChartView) => void;
  /** Shown before the chart/table switch. */
  readonly aside?: ReactNode;
  /** Shown below the chart. */
  readonly children?: ReactNode;
}

/** Stacked bars, loaded after the first paint, or a table of the same exact figures. */
export function SpendChart({ title, measure = 'cost', period, columns, points, nameOf, columnLabel = (column) => dayLabel(column), columnHeading = charts.day, ...props }: SpendChartProps) {
  const [ownView, setOwnView] = useState<ChartView>('chart');
  const painted = useAfterPaint();
  const view = props.view ?? ownView;
  const setView = props.onView ?? setOwnView;
  const table = useMemo(() => spendTable(columns, points), [columns, points]);
  const seriesName = ({ isOther, ids, count }: SpendSeries) => (isOther ? charts.other(count) : nameOf(ids[0] ?? null));
  const { largest, total } = table;
  const sentence = largest === null ? charts.nothing[measure](period) : charts.sentence(period, exactText(measure, total), { label: columnLabel(largest.column), total: exactText(measure, largest.total) });
  const loading = <output aria-label={charts.loading}><Skeleton className={classes['room'] ?? ''} /></output>;
  const flip = (
    <Button variant="default" size="xs" onClick={() => setView(view === 'chart' ? 'table' : 'chart')}>{view === 'chart' ? charts.asTable : charts.asChart}</Button>
  );
  return (
    <Card title={title} aside={<div className={classes['aside']}>{props.aside}{flip}</div>}>
      {view === 'table' && <Suspense fallback={loading}><SpendFigures {...{ title, measure, table, seriesName, columnLabel, columnHeading, renderColumn: props.renderColumn }} /></Suspense>}
      {view === 'chart' && largest === null && <p className={`${classes['room']} ${classes['empty']}`}><span className="visually-hidden">{sentence}</span><span aria-hidden="true">{charts.empty[measure]}</span></p>}
      {view === 'chart' && largest !== null && (
        <>
          <ChartBoundary>
            {painted ? <Suspense fallback={loading}><StackedBars {...{ sentence, measure, table, seriesName, columnLabel, onColumn: props.onColumn }} /></Suspense> : loading}
          </ChartBoundary>
          <ChartLegend {...{ title, measure, table, seriesName, nameOf, renderOthers: props.renderOthers, renderSeries: props.renderSeries }} />
        </>
      )}
      {props.children}
    </Card>
  );
}
