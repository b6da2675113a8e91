import { Loading } from '../../components/part';
import classes from './overview.module.css';

const TILES = ['available', 'today', 'month', 'lasts'];
/** Heights for ordinary figures. */
const TILE = 'var(--tile-height)';
const CHART = 'var(--chart-height)';
const CARD = 'var(--card-height)';

/** Same layout as the page, so that nothing moves. */
export function OverviewLoading() {
  return (
    <div className={classes['page']}>
      <div className={classes['tiles']}>{TILES.map((name) => <Loading key={name} height={TILE} />)}</div>
      <Loading height={CHART} />
      <div className={classes['two']}><Loading height={CARD} /><Loading height={CARD} /></div>
    </div>
  );
}
