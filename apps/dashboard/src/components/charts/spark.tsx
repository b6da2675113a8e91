import { sparkPath } from '../../format/geometry';
import classes from './spark.module.css';

const [WIDTH, HEIGHT] = [100, 30];

/** Draws the course of a figure. Decorative: the figures themselves are in the chart and its table. */
export function Spark({ values }: { readonly values: readonly (string | number)[] }) {
  const line = sparkPath(values, { width: WIDTH, height: HEIGHT });
  if (line === null) return null;
  return (
    <svg className={classes['spark']} viewBox={`0 0 ${WIDTH} ${HEIGHT}`} preserveAspectRatio="none" aria-hidden="true">
      <path className={classes['area']} d={`${line}V${HEIGHT}H0Z`} /><path d={line} />
    </svg>
  );
}
