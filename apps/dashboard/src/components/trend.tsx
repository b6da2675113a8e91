import { ArrowDownRight, ArrowUpRight, Equal } from 'lucide-react';
import { charts } from '#texts/charts';
import { changeOf } from '../format/change';
import classes from './trend.module.css';

interface TrendProps {
  /** Exact decimal, not negative. */
  readonly now: string;
  readonly before: string;
  /** The compared period in words: `the 7 days before`. */
  readonly period: string;
}

const ICONS = { more: ArrowUpRight, less: ArrowDownRight, same: Equal, new: ArrowUpRight };

/** Change against the compared period, in a neutral colour: more spending is neither good nor bad. */
export function Trend({ now, before, period }: TrendProps) {
  const change = changeOf(now, before);
  const Icon = ICONS[change.kind];
  const text = change.kind === 'same' || change.kind === 'new' ? charts.trend[change.kind](period) : charts.trend[change.kind](change.share, period);
  return <span className={classes['trend']}><Icon size={14} aria-hidden="true" /><span>{text}</span></span>;
}
