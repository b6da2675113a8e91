import { units as texts } from '#texts/units';
import classes from './amount.module.css';
import { explain } from './pointed-amount';

/** Stands for service tokens. Pointers open the explanation of the units; keyboards and screen readers have `UnitsHelp`. */
export function Coin() {
  return (
    <button
      type="button" tabIndex={-1} aria-hidden="true" title={texts.help} className={classes['coin']}
      onClick={(event) => {
        event.stopPropagation();
        explain('units');
      }}
    />
  );
}
