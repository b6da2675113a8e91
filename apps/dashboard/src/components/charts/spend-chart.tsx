import { Button, Skeleton } from '@mantine/core';
import { lazy, Suspense, useMemo, useState, type ReactNode } from 'react';
import { charts } from '#texts/charts';
import { dayLabel } from '../../format/day';
import { Card } from '../card';
import classes from './charts.module.css';
import { ChartBoundary } from './chart-boundary';
import { seriesColor, spendTable, type SpendPoint, type SpendSeries } from './spend-series';
import { SpendFigures } from './spend-figures';
import { useAfterPaint } from './use-after-paint';

const StackedBars = lazy(() => import('./stacked-bars'));

export type ChartView = 'chart' | 'table';

interface SpendChartProps {
  readonly title: string;
  /** In the chart's text alternative: `Spend, 24 Oct to 22 Nov`. */
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
  /** Controlled by the URL if given; otherwise internal. */
  readonly view?: ChartView;
  readonly onView?: (view: ChartView) => void;
  /** Shown before the chart/table switch. */
  readonly aside?: ReactNode;
  /** Shown below the chart. */
  readonly children?: ReactNode;
}

/** Stacked bars, loaded after the first paint, or a table of the same exact figures. */
export function SpendChart({ title, period, columns, points, nameOf, columnLabel = (column) => dayLabel(column), columnHeading = charts.day, ...props }: SpendChartProps) {
  const [ownView, setOwnView] = useState<ChartView>('chart');
  const painted = useAfterPaint();
  const view = props.view ?? ownView;
  const setView = props.onView ?? setOwnView;
  const table = useMemo(() => spendTable(columns, points), [columns, points]);
  const seriesName = ({ isOther, ids, count }: SpendSeries) => (isOther ? charts.other(count) : nameOf(ids[0] ?? null));
  const { largest, total } = table;
  const sentence = largest === null ? charts.nothing(period) : charts.sentence(period, total, { label: columnLabel(largest.column), total: largest.total });
  const loading = <output aria-label={charts.loading}><Skeleton className={classes['room'] ?? ''} /></output>;
  const flip = (
    <Button variant="default" size="xs" onClick={() => setView(view === 'chart' ? 'table' : 'chart')}>{view === 'chart' ? charts.asTable : charts.asChart}</Button>
  );
  return (
    <Card title={title} aside={<div className={classes['aside']}>{props.aside}{flip}</div>}>
      {view === 'table' && <SpendFigures {...{ title, table, seriesName, columnLabel, columnHeading, renderColumn: props.renderColumn }} />}
      {view === 'chart' && (
        <>
          <ChartBoundary>
            {painted ? <Suspense fallback={loading}><StackedBars {...{ sentence, table, seriesName, columnLabel, onColumn: props.onColumn }} /></Suspense> : loading}
          </ChartBoundary>
          <ul className={classes['legend']}>
            {table.series.map((series) => (
              <li key={series.key}><span className={classes['swatch']} style={{ background: seriesColor(series.key) }} />{seriesName(series)}</li>
            ))}
          </ul>
        </>
      )}
      {props.children}
    </Card>
  );
}
