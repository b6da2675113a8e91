import '@mantine/charts/styles.css';
import { BarChart } from '@mantine/charts';
import { firstToken as texts } from '#texts/first-token';
import { exactCount } from '../../format/count';
import { duration } from '../../format/duration';
import { axisTicks } from '../../format/geometry';
import classes from './charts.module.css';
import { TIME_SERIES, type TimeColumn } from './time-series';

interface TimeBarsProps {
  /** Text alternative. */
  readonly sentence: string;
  readonly columns: readonly TimeColumn[];
  readonly columnLabel: (column: string) => string;
  readonly onColumn?: ((column: string) => void) | undefined;
}

interface FiguresProps extends Pick<TimeBarsProps, 'columnLabel'> {
  /** Set by the chart library for the hovered or focused bar. */
  readonly active?: boolean;
  readonly payload?: readonly { readonly payload?: unknown }[];
}

const NAMES = { p50: texts.median, p95: texts.slow } as const;

function Figures({ active = false, payload, columnLabel }: FiguresProps) {
  const bar = payload?.[0]?.payload as TimeColumn | undefined;
  const times = bar?.times ?? null;
  if (!active || bar === undefined || times === null) return null;
  return (
    <div className={classes['tooltip']}>
      <strong>{columnLabel(bar.column)}</strong>
      {TIME_SERIES.map(({ name, color }) => (
        <div key={name} className={classes['line']}>
          <span><span className={classes['swatch']} style={{ background: color }} />{NAMES[name]}</span><span className="num">{duration(times[name])}</span>
        </div>
      ))}
      <div className={classes['line']}><span>{texts.measured}</span><span className="num">{exactCount(times.requests)}</span></div>
    </div>
  );
}

/** Two bars for each column. Arrow keys move between columns. */
export function TimeBars({ sentence, columns, columnLabel, onColumn }: TimeBarsProps) {
  const ticks = axisTicks(Math.max(0, ...columns.map(({ times }) => times?.p95 ?? 0)), 1);
  const named = { role: 'img', 'aria-label': sentence };
  return (
    <BarChart
      className={classes['room'] ?? ''} data={columns.map(({ column, times }) => ({ column, times, p50: times?.p50 ?? null, p95: times?.p95 ?? null }))} dataKey="column" type="default"
      series={TIME_SERIES.map(({ name, color }) => ({ name, label: NAMES[name], color }))} gridAxis="x" tickLine="none" strokeDasharray="0" maxBarWidth={20}
      gridColor="var(--hairline)" textColor="var(--muted)" cursorFill="var(--surface)" barProps={{ isAnimationActive: false }}
      barChartProps={{
        ...named,
        onClick: ({ activeLabel }) => { if (typeof activeLabel === 'string') onColumn?.(activeLabel); },
        ...(onColumn === undefined ? {} : { style: { cursor: 'pointer' } }),
      }}
      xAxisProps={{ tickFormatter: (column: string) => columnLabel(column), minTickGap: 32, interval: 'preserveStartEnd' }}
      yAxisProps={{ tickFormatter: (value: number) => duration(value), width: 64, ticks, domain: [0, ticks.at(-1) ?? 0], interval: 0 }}
      tooltipProps={{ isAnimationActive: false, content: <Figures columnLabel={columnLabel} /> }}
    />
  );
}
