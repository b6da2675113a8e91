import { brand, isOwnName } from '../brand/brand';
import { Mark } from './mark';
import classes from './product.module.css';

/** Logo and name of the service. A renamed service without a logo shows only its name. */
export function Product() {
  return (
    <span className={classes['product']}>
      {brand.logo !== null && <img src={brand.logo} alt="" width={24} height={24} />}
      {brand.logo === null && isOwnName && <Mark />}
      <span className={classes['name']}>{brand.name}</span>
    </span>
  );
}
