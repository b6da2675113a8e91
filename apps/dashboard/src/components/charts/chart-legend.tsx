import { UnstyledButton } from '@mantine/core';
import { lazy, Suspense, useState, type ReactNode } from 'react';
import { charts } from '#texts/charts';
import classes from './charts.module.css';
import { type Measure, MeasuredFigure } from './measure';
import { seriesColor, type SeriesPart, type SpendSeries, type SpendTable } from './spend-series';

const OthersDialog = lazy(() => import('./others-dialog'));

export interface OtherSeries {
  /** `null` while the series are read. */
  readonly parts: readonly SeriesPart[] | null;
  readonly failed: boolean;
}

/** Renders a component that reads the series that the chart combines, and passes them to `list`. */
export type RenderOthers = (list: (others: OtherSeries) => ReactNode) => ReactNode;

/** A link to the requests of a series, around its name. */
export type RenderSeries = (id: string, link: { readonly children: string; readonly className?: string; readonly title?: string }) => ReactNode;

interface ChartLegendProps {
  readonly title: string;
  readonly measure: Measure;
  readonly table: SpendTable;
  readonly seriesName: (series: SpendSeries) => string;
  readonly nameOf: (series: string | null) => string;
  /** Loads the series that a sum combines; `undefined` if they are known. */
  readonly renderOthers: RenderOthers | undefined;
  readonly renderSeries: RenderSeries | undefined;
}

/** Number of characters; longer names may be cut. */
const SHORT_NAME = 24;

interface LegendNameProps extends Pick<ChartLegendProps, 'renderSeries'> {
  /** `null` for requests without a model or key. */
  readonly id: string | null;
  readonly name: string;
}

/** A long name takes the focus, by keyboard or touch, and is then shown whole. */
function LegendName({ id, name, renderSeries }: LegendNameProps) {
  const isLong = name.length > SHORT_NAME;
  if (id !== null && renderSeries !== undefined) return renderSeries(id, { children: name, ...(isLong ? { className: classes['cut'] ?? '', title: name } : {}) });
  if (!isLong) return <span>{name}</span>;
  return <UnstyledButton className={classes['cut'] ?? ''} title={name}>{name}</UnstyledButton>;
}

/** Lists every series with its sum. A dialog lists the series that `Other` combines. */
export function ChartLegend({ title, measure, table, seriesName, nameOf, renderOthers, renderSeries }: ChartLegendProps) {
  const [opened, setOpened] = useState(false);
  const shown = new Set(table.series.filter(({ isOther }) => !isOther).flatMap(({ ids }) => ids));
  const other = table.series.find(({ isOther }) => isOther);
  return (
    <>
      <ul className={classes['legend']}>
        {table.series.map((series) => (
          <li key={series.key}>
            <span className={classes['swatch']} style={{ background: seriesColor(series.key) }} />
            {series.isOther
              ? <UnstyledButton className={classes['open'] ?? ''} aria-label={charts.openOther(series.count)} aria-haspopup="dialog" onClick={() => setOpened(true)}>{seriesName(series)}</UnstyledButton>
              : <LegendName id={series.ids[0] ?? null} name={seriesName(series)} renderSeries={renderSeries} />}
            <MeasuredFigure measure={measure} sum={series.total} />
          </li>
        ))}
      </ul>
      {opened && other !== undefined && <Suspense><OthersDialog {...{ title, measure, other, shown, nameOf, renderOthers }} onClose={() => setOpened(false)} /></Suspense>}
    </>
  );
}
