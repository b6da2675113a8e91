import { Box } from '@mantine/core';
import { charts } from '#texts/charts';
import { common } from '#texts/common';
import { Dialog } from '../dialog';
import type { OtherSeries, RenderOthers } from './chart-legend';
import classes from './charts.module.css';
import { type Measure, MeasuredFigure } from './measure';
import type { SeriesPart, SpendSeries } from './spend-series';

interface OthersDialogProps {
  readonly title: string;
  readonly measure: Measure;
  readonly other: SpendSeries;
  /** Ids with a series of their own. */
  readonly shown: ReadonlySet<string | null>;
  readonly nameOf: (series: string | null) => string;
  readonly renderOthers: RenderOthers | undefined;
  readonly onClose: () => void;
}

function Parts({ measure, parts, count, nameOf }: Pick<OthersDialogProps, 'measure' | 'nameOf'> & { readonly parts: readonly SeriesPart[]; readonly count: number }) {
  const rest = count - parts.length;
  return (
    <>
      <Box component="ul" className={classes['others'] ?? ''} tabIndex={0}>{parts.map(({ id, total }) => <li key={id ?? ''}><span>{nameOf(id)}</span><MeasuredFigure measure={measure} sum={total} /></li>)}</Box>
      {rest > 0 && <p className="muted">{charts.more(rest)}</p>}
    </>
  );
}

function ReadParts({ others: { parts, failed }, shown, ...props }: Omit<OthersDialogProps, 'renderOthers'> & { readonly others: OtherSeries }) {
  if (failed) return <p role="alert">{common.failed}</p>;
  return parts === null ? <p className="muted">{common.loadingMore}</p> : <Parts {...props} count={props.other.count} parts={parts.filter(({ id }) => !shown.has(id))} />;
}

/** The dialog is loaded when it is opened. */
export default function OthersDialog({ renderOthers, ...props }: OthersDialogProps) {
  return (
    <Dialog opened title={charts.otherTitle(props.title)} onClose={props.onClose}>
      {renderOthers === undefined ? <Parts {...props} count={props.other.count} parts={props.other.parts} /> : renderOthers((others) => <ReadParts {...props} others={others} />)}
    </Dialog>
  );
}
