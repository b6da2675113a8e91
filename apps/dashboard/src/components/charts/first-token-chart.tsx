import { Button, Skeleton, UnstyledButton } from '@mantine/core';
import { lazy, Suspense, useState, type ReactNode } from 'react';
import { charts } from '#texts/charts';
import { firstToken as texts } from '#texts/first-token';
import type { Reply } from '../../api/call';
import { duration } from '../../format/duration';
import { Card } from '../card';
import { Dialog } from '../dialog';
import { ChartBoundary } from './chart-boundary';
import classes from './charts.module.css';
import { TimeFigures } from './time-figures';
import { timeColumns, TIME_SERIES, type Times } from './time-series';

const TimeBars = lazy(async () => ({ default: (await import('./bars')).TimeBars }));

type Summary = Reply<'firstTokenSummary'>;

interface FirstTokenChartProps {
  readonly summary: Summary;
  /** Beginning of the chart's text alternative. */
  readonly period: string;
  readonly modelName: (id: string) => string;
  readonly columns: readonly string[];
  readonly columnLabel: (column: string) => string;
  readonly columnHeading: string;
  readonly renderColumn: (column: string, label: string) => ReactNode;
  readonly onColumn: (column: string) => void;
  readonly isTable: boolean;
  readonly onTable: (isTable: boolean) => void;
  /** Shown before the chart/table switch. */
  readonly aside: ReactNode;
}

const NAMES = { p50: texts.median, p95: texts.slow } as const;

/** Median and 95th percentile of the whole period; a dialog lists those of each model. */
function Legend({ total, models, modelName }: { readonly total: Times; readonly models: Summary['models']; readonly modelName: (id: string) => string }) {
  const [opened, setOpened] = useState(false);
  return (
    <>
      <ul className={classes['legend']}>
        {TIME_SERIES.map(({ name, color }) => <li key={name}><span className={classes['swatch']} style={{ background: color }} /><span>{NAMES[name]}</span><span className="num">{duration(total[name])}</span></li>)}
        {models.length > 0 && <li><UnstyledButton className={classes['open'] ?? ''} aria-haspopup="dialog" onClick={() => setOpened(true)}>{texts.byModel(models.length)}</UnstyledButton></li>}
      </ul>
      {opened && (
        <Dialog opened title={texts.byModelTitle} onClose={() => setOpened(false)}>
          <TimeFigures label={texts.byModelTitle} heading={texts.model} rows={models.map(({ model, ...times }) => ({ id: model, name: modelName(model), times }))} />
        </Dialog>
      )}
    </>
  );
}

/** Median and 95th percentile of the time to the first token, by column, as bars or as a table. Loaded when it is chosen. */
export default function FirstTokenChart({ summary: { total, data, models, is_sampled: isSampled }, period, columns, columnLabel, columnHeading, renderColumn, modelName, ...props }: FirstTokenChartProps) {
  const bars = timeColumns(columns, data);
  const sentence = total === null ? texts.nothing(period) : texts.sentence(period, duration(total.p50), duration(total.p95));
  const loading = <output aria-label={charts.loading}><Skeleton className={classes['room'] ?? ''} /></output>;
  const flip = <Button variant="default" size="xs" onClick={() => props.onTable(!props.isTable)}>{props.isTable ? charts.asChart : charts.asTable}</Button>;
  return (
    <Card title={texts.title} aside={<div className={classes['aside']}>{props.aside}{flip}</div>}>
      {props.isTable && <TimeFigures label={texts.title} heading={columnHeading} total={total} rows={bars.map(({ column, times }) => ({ id: column, name: renderColumn(column, columnLabel(column)), times }))} />}
      {!props.isTable && total === null && <p className={`${classes['room']} ${classes['empty']}`}><span className="visually-hidden">{sentence}</span><span aria-hidden="true">{texts.empty}</span></p>}
      {!props.isTable && total !== null && <ChartBoundary><Suspense fallback={loading}><TimeBars {...{ sentence, columnLabel }} columns={bars} onColumn={props.onColumn} /></Suspense></ChartBoundary>}
      {total !== null && <Legend total={total} models={models} modelName={modelName} />}
      {total !== null && <p className="muted">{(isSampled ? texts.sample : texts.basis)(total.requests)}</p>}
    </Card>
  );
}
