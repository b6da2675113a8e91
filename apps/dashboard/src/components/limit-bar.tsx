import { Progress } from '@mantine/core';
import type { ReactNode } from 'react';
import { charts } from '#texts/charts';
import { exactAmount } from '../format/amount';
import { exactCount } from '../format/count';
import { shareOf } from '../format/geometry';
import classes from './limit-bar.module.css';

interface LimitBarProps {
  /** Also the accessible name. */
  readonly label: string;
  /** Exact amounts are strings, counts numbers. */
  readonly used: string | number;
  readonly limit: string | number;
  /** Shown after the figures: reset time, or source of the limit. */
  readonly note?: ReactNode;
  /** A link shown instead of the label. */
  readonly link?: ReactNode;
}

const NEARLY = 0.8;

function written(value: string | number): string {
  return typeof value === 'string' ? exactAmount(value) : exactCount(value);
}

/** A full bar is also stated in words. */
export function LimitBar({ label, used, limit, note, link }: LimitBarProps) {
  const share = shareOf(used, limit);
  const full = share >= 1;
  const figures = charts.used(written(used), written(limit));
  const color = full ? 'var(--bad)' : share >= NEARLY ? 'var(--warning)' : 'var(--primary)';
  return (
    <div className={classes['limit']}>
      <div className={classes['line']}>
        <span>{link ?? label}</span>
        <span className="muted num">{full && <strong className={classes['full']}>{charts.reached} · </strong>}{figures}{note !== undefined && <> · {note}</>}</span>
      </div>
      <Progress.Root size={8}>
        <Progress.Section value={share * 100} color={color} aria-label={label} aria-valuetext={figures} />
      </Progress.Root>
    </div>
  );
}
