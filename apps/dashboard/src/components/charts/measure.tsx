import { charts } from '#texts/charts';
import { dollars, grouped, roundedDollars } from '../../format/amount';
import { axisLabel } from '../../format/geometry';
import { Amount } from '../amount';
import type { ChartSum } from './spend-series';

export type Measure = 'cost' | 'requests' | 'tokens';

const MEASURES: readonly Measure[] = ['cost', 'requests', 'tokens'];

export function isMeasure(text: string | undefined): text is Measure {
  return MEASURES.some((measure) => measure === text);
}

/** A sum in a table or legend. */
export function MeasuredFigure({ measure, sum: { amount, tokens } }: { readonly measure: Measure; readonly sum: ChartSum }) {
  return measure === 'cost' ? <Amount value={tokens} usd={amount} /> : <span className="num">{grouped(amount)}</span>;
}

/** Rounded amount, for a text without hover. */
export function roundedText(measure: Measure, { amount }: ChartSum): string {
  return measure === 'cost' ? roundedDollars(amount) : grouped(amount);
}

/** Exact amount with its unit, for a sentence. */
export function exactText(measure: Measure, { amount }: ChartSum): string {
  return measure === 'cost' ? dollars(amount) : charts.counts[measure](grouped(amount));
}

export function measureLabel(measure: Measure, value: number): string {
  return measure === 'cost' ? `$${axisLabel(value)}` : axisLabel(value);
}
