import classes from './live.module.css';

const WIDTH = 900;
const HEIGHT = 120;

/** One SVG polyline, since it changes every second. */
export function LiveLine({ values, sentence }: { readonly values: readonly number[]; readonly sentence: string }) {
  const highest = Math.max(1, ...values);
  const points = values.map((value, index) => `${(index * WIDTH) / (values.length - 1)},${HEIGHT - 2 - (value / highest) * (HEIGHT - 4)}`);
  return (
    <svg className={classes['line']} viewBox={`0 0 ${WIDTH} ${HEIGHT}`} preserveAspectRatio="none" role="img" aria-label={sentence}>
      <path d={`M0 ${HEIGHT - 1}H${WIDTH}`} className={classes['axis']} />
      <polyline points={points.join(' ')} className={classes['curve']} />
    </svg>
  );
}
