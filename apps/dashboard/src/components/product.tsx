import { brand } from '../brand/brand';
import classes from './product.module.css';

/** Logo and name of the service. */
export function Product() {
  return (
    <span className={classes['product']}>
      {brand.logo !== null && <img src={brand.logo} alt="" width={24} height={24} />}
      <span className={classes['name']}>{brand.name}</span>
    </span>
  );
}
