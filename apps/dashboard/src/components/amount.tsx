import type { ReactNode } from 'react';
import { units as texts } from '#texts/units';
import { columnParts, dollars, exactAmount, roundedDollars, tileParts, type AmountParts } from '../format/amount';
import classes from './amount.module.css';
import { Coin } from './coin';
import { explain, pointAt, pointAway } from './pointed-amount';

interface AmountProps {
  /** Service tokens, exact, from the API. */
  readonly value: string;
  /**
   * The same amount in dollars, exact. If given, the dollars are shown instead, rounded to cents unless `full` is set. Hover and focus show both
   * exact amounts, and copying takes the exact dollars.
   */
  readonly usd?: string;
  /** `plain` in sentences, `column` in tables, `tile` for large figures. */
  readonly form?: 'plain' | 'column' | 'tile';
  /** True to show the name of the unit. */
  readonly named?: boolean;
  /** True to show every digit of the dollars, as for single requests. */
  readonly full?: boolean;
  /** True if the amount is not inside a link to its record. It is then focusable itself, also with `full`, and shows both units while focused. */
  readonly alone?: boolean;
}

const PARTS: Record<NonNullable<AmountProps['form']>, (value: string) => AmountParts> = {
  plain: (value) => ({ main: exactAmount(value), muted: '' }),
  column: columnParts,
  tile: tileParts,
};

/** Shows dollars if `usd` is given, otherwise the unrounded service tokens with the coin icon. */
export function Amount({ value, usd, form = 'plain', named = false, full = false, alone = false }: AmountProps) {
  if (usd !== undefined) return full && !alone ? <FullDollars value={value} usd={usd} /> : <DollarsButton value={value} usd={usd} isRounded={!full} />;
  const { main, muted } = PARTS[form](value);
  return (
    <span className={named ? classes['named'] : classes['tokens']}>
      <span className={classes['tokens']}><Coin /><span className="num" data-amount={value}>{main}{muted !== '' && <span className="muted">{muted}</span>}</span></span>
      <span className={named ? undefined : 'visually-hidden'}> {texts.tokens}</span>
    </span>
  );
}

type BothProps = Required<Pick<AmountProps, 'value' | 'usd'>>;

/** Exact dollars, for lists whose rows lead to a record with both units. */
function FullDollars({ value, usd }: BothProps) {
  return (
    <span className="num" data-amount={usd} data-tokens={value} onPointerEnter={({ currentTarget: anchor }) => pointAt({ anchor, tokens: value, usd })} onPointerLeave={pointAway}>{dollars(usd)}</span>
  );
}

/** A text selection copies the exact amount: only the hidden exact dollars can be selected. */
function DollarsButton({ value, usd, isRounded }: BothProps & { readonly isRounded: boolean }) {
  const show = ({ currentTarget: anchor }: { readonly currentTarget: HTMLElement }) => pointAt({ anchor, tokens: value, usd });
  return (
    <button
      type="button" className={classes['rounded']} onPointerEnter={show} onPointerLeave={pointAway} onFocus={show} onBlur={pointAway}
      onClick={(event) => {
        event.stopPropagation();
        explain({ tokens: value, usd });
      }}
    >
      <span className={`num ${classes['unselected']}`} data-amount={usd} data-tokens={value} {...(isRounded ? { 'data-rounded': '' } : {})}>{isRounded ? roundedDollars(usd) : dollars(usd)}</span>
      <Hidden><span className={classes['unselected']}>, {texts.exactly} </span>{dollars(usd)}<span className={classes['unselected']}>, {exactAmount(value)} {texts.tokens}</span></Hidden>
    </button>
  );
}

function Hidden({ children }: { readonly children: ReactNode }) {
  return <span className="visually-hidden">{children}</span>;
}

/** Dollars with every digit. */
export function Dollars({ value }: { readonly value: string }) {
  return <span className="num" data-amount={value}>{dollars(value)}</span>;
}
