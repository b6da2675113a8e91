import { columnParts, dollars, exactAmount, tileParts, type AmountParts } from '../format/amount';

interface AmountProps {
  /** Exact, from the API. */
  readonly value: string;
  /** `plain` in sentences, `column` in tables, `tile` for large figures. */
  readonly form?: 'plain' | 'column' | 'tile';
}

const PARTS: Record<NonNullable<AmountProps['form']>, (value: string) => AmountParts> = {
  plain: (value) => ({ main: exactAmount(value), muted: '' }),
  column: columnParts,
  tile: tileParts,
};

/** Every digit is shown. */
export function Amount({ value, form = 'plain' }: AmountProps) {
  const { main, muted } = PARTS[form](value);
  return <span className="num" data-amount={value}>{main}{muted !== '' && <span className="muted">{muted}</span>}</span>;
}

/** Every digit is shown; secondary to service tokens. */
export function Dollars({ value }: { readonly value: string }) {
  return <span className="num" data-amount={value}>{dollars(value)}</span>;
}
