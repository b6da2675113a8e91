import { columnParts, dollars, exactAmount, tileParts, type AmountParts } from '../format/amount';

interface AmountProps {
  /** The exact string of the API. */
  readonly value: string;
  /** `plain` within sentences; `column` in tables; `tile` for large figures. */
  readonly form?: 'plain' | 'column' | 'tile';
}

const PARTS: Record<NonNullable<AmountProps['form']>, (value: string) => AmountParts> = {
  plain: (value) => ({ main: exactAmount(value), muted: '' }),
  column: columnParts,
  tile: tileParts,
};

/** Service tokens, digit for digit. */
export function Amount({ value, form = 'plain' }: AmountProps) {
  const { main, muted } = PARTS[form](value);
  return <span className="num" data-amount={value}>{main}{muted !== '' && <span className="muted">{muted}</span>}</span>;
}

/** US dollars, digit for digit; they stand second to service tokens and never alone. */
export function Dollars({ value }: { readonly value: string }) {
  return <span className="num" data-amount={value}>{dollars(value)}</span>;
}
