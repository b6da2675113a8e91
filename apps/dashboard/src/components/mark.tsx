import classes from './product.module.css';

/** The sign of Tollgate: a raised barrier, and a token that passes under it. */
export function Mark() {
  return (
    <svg viewBox="0 0 32 32" width={26} height={26} aria-hidden="true" className={classes['mark']}>
      <g fill="none" stroke="currentColor" strokeWidth={4.4} strokeLinecap="round"><path d="M4.6 14.6 27.4 6" /><path d="M10.4 12.8v14.4" /></g>
      <circle cx={21.6} cy={22} r={5.4} className={classes['coin']} />
    </svg>
  );
}
