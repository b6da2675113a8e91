import { Loading } from '../../components/part';
import classes from './overview.module.css';

const TILES = ['available', 'today', 'month', 'lasts'];
/** What the cards measure with the figures of an ordinary account. */
const TILE = 'var(--tile-height)';
const CHART = 'var(--chart-height)';
const CARD = 'var(--card-height)';

/** Blocks in the places of tiles, chart and cards, so that nothing moves when they come. */
export function OverviewLoading() {
  return (
    <div className={classes['page']}>
      <div className={classes['tiles']}>{TILES.map((name) => <Loading key={name} height={TILE} />)}</div>
      <Loading height={CHART} />
      <div className={classes['two']}><Loading height={CARD} /><Loading height={CARD} /></div>
    </div>
  );
}
