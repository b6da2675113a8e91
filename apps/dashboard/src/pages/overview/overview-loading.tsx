import { Loading } from '../../components/part';
import classes from './overview.module.css';

/** Heights of the parts when their figures have the usual length. */
const HERO = 'var(--hero-height)';
const CHART = 'var(--chart-height)';
const CARD = 'var(--card-height)';

/** Placeholder with the layout of the page, so that nothing moves when it is loaded. */
export function OverviewLoading() {
  return (
    <div className={classes['page']}>
      <Loading height={HERO} />
      <Loading height={CHART} />
      <div className={classes['two']}><Loading height={CARD} /><Loading height={CARD} /></div>
    </div>
  );
}
