import '@mantine/charts/styles.css';
import { BarChart } from '@mantine/charts';
import { useMemo } from 'react';
import { charts } from '#texts/charts';
import { axisTicks, barLength } from '../../format/geometry';
import classes from './charts.module.css';
import { type Measure, measureLabel, roundedText } from './measure';
import { NO_SUM, seriesColor, type SpendColumn, type SpendSeries, type SpendTable } from './spend-series';

interface StackedBarsProps {
  /** Text alternative. */
  readonly sentence: string;
  readonly measure: Measure;
  readonly table: SpendTable;
  readonly seriesName: (series: SpendSeries) => string;
  readonly columnLabel: (column: string) => string;
  readonly onColumn?: ((column: string) => void) | undefined;
}

/** Bar lengths by series, and exact figures. */
interface Bar {
  readonly column: string;
  readonly exact: SpendColumn;
  readonly [series: string]: unknown;
}

interface FiguresProps extends Pick<StackedBarsProps, 'measure' | 'table' | 'seriesName' | 'columnLabel'> {
  /** Set by the chart library for the hovered or focused bar. */
  readonly active?: boolean;
  readonly payload?: readonly { readonly payload?: unknown }[];
}

/** Lists the series of a bar from top to bottom, as they are stacked. */
function Figures({ active = false, payload, measure, table, seriesName, columnLabel }: FiguresProps) {
  const column = (payload?.[0]?.payload as Bar | undefined)?.exact;
  if (!active || column === undefined) return null;
  const parts = table.series.filter(({ key }) => column.sums[key] !== undefined).toReversed();
  return (
    <div className={classes['tooltip']}>
      <strong>{columnLabel(column.column)}</strong>
      {parts.map((series) => (
        <div key={series.key} className={classes['line']}>
          <span><span className={classes['swatch']} style={{ background: seriesColor(series.key) }} /><span className={classes['cut']}>{seriesName(series)}</span></span>
          <span className="num">{roundedText(measure, column.sums[series.key] ?? NO_SUM)}</span>
        </div>
      ))}
      <div className={classes['line']}><span>{charts.total}</span><strong className="num">{roundedText(measure, column.total)}</strong></div>
    </div>
  );
}

/** Loaded lazily: the chart library is the largest script. Arrow keys move between bars. */
export function StackedBars({ sentence, measure, table, seriesName, columnLabel, onColumn }: StackedBarsProps) {
  const bars = useMemo(() => table.columns.map((exact): Bar => ({
    ...Object.fromEntries(Object.entries(exact.sums).map(([key, { amount }]) => [key, barLength(amount)])), column: exact.column, exact,
  })), [table]);
  const series = table.series.map((one) => ({ name: one.key, label: seriesName(one), color: seriesColor(one.key) }));
  const ticks = useMemo(() => axisTicks(Math.max(0, ...table.columns.map(({ total }) => barLength(total.amount))), measure === 'cost' ? 0 : 1), [table, measure]);
  const named = { role: 'img', 'aria-label': sentence };
  return (
    <BarChart
      className={classes['room'] ?? ''} data={bars} dataKey="column" type="stacked" series={series} gridAxis="x" tickLine="none" strokeDasharray="0" maxBarWidth={40}
      gridColor="var(--hairline)" textColor="var(--muted)" cursorFill="var(--surface)"
      barProps={{ isAnimationActive: false, stroke: 'var(--mantine-color-body)', strokeWidth: 1 }}
      barChartProps={{
        ...named,
        onClick: ({ activeLabel }) => { if (typeof activeLabel === 'string') onColumn?.(activeLabel); },
        ...(onColumn === undefined ? {} : { style: { cursor: 'pointer' } }),
      }}
      xAxisProps={{ tickFormatter: (column: string) => columnLabel(column), minTickGap: 32, interval: 'preserveStartEnd' }}
      yAxisProps={{ tickFormatter: (value: number) => measureLabel(measure, value), width: 56, ticks, domain: [0, ticks.at(-1) ?? 0], interval: 0 }}
      tooltipProps={{
        isAnimationActive: false,
        content: <Figures {...{ measure, table, seriesName, columnLabel }} />,
      }}
    />
  );
}
