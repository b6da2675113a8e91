/**
 * Amounts are exact decimal strings and stay strings: they are grouped, padded and cut here, and never made numbers.
 * An amount is what the API sends: an optional minus, digits, and an optional fraction.
 */
const AMOUNT = /^(-?)(\d+)(?:\.(\d+))?$/;
const TILE_PLACES = 2;
const TABLE_PLACES = 6;

/** An amount in the parts that a page shows apart: what is read at a glance, and the rest of its digits, which are muted. */
export interface AmountParts {
  readonly main: string;
  readonly muted: string;
}

interface Digits {
  readonly sign: string;
  readonly whole: string;
  readonly fraction: string;
}

function digitsOf(amount: string): Digits {
  const match = AMOUNT.exec(amount);
  if (match === null) throw new TypeError(`"${amount}" is no decimal amount.`);
  const [, sign = '', whole = '', fraction = ''] = match;
  return { sign: sign === '-' ? '−' : '', whole: whole.replaceAll(/\B(?=(\d{3})+$)/g, ','), fraction };
}

/** Groups the digits of an amount, and adds none and drops none: `998412.640118` is `998,412.640118`. */
export function exactAmount(amount: string): string {
  const { sign, whole, fraction } = digitsOf(amount);
  return sign + whole + (fraction === '' ? '' : `.${fraction}`);
}

/** US dollars: exact, with at least two decimal places. */
export function dollars(amount: string): string {
  const { sign, whole, fraction } = digitsOf(amount);
  return `${sign}$${whole}.${fraction.padEnd(TILE_PLACES, '0')}`;
}

/** For tiles: decimal places after the second are muted. */
export function tileParts(amount: string): AmountParts {
  const { sign, whole, fraction } = digitsOf(amount);
  return { main: sign + whole + (fraction === '' ? '' : `.${fraction.slice(0, TILE_PLACES)}`), muted: fraction.slice(TILE_PLACES) };
}

/** For columns: at least six decimal places, trailing zeros muted, so that points stand below each other. */
export function columnParts(amount: string): AmountParts {
  const { sign, whole, fraction } = digitsOf(amount);
  const significant = fraction.replace(/0+$/, '');
  const zeros = fraction.padEnd(TABLE_PLACES, '0').slice(significant.length);
  return significant === '' ? { main: sign + whole, muted: `.${zeros}` } : { main: `${sign}${whole}.${significant}`, muted: zeros };
}

export function isZero(amount: string): boolean {
  return !/[1-9]/.test(amount);
}

/** An amount as a person types it, as the API reads it; `null` where it is none. Spaces and grouping commas are dropped. */
export function typedAmount(text: string): string | null {
  const plain = text.trim().replaceAll(/(?<=\d)[, ](?=\d{3})/g, '');
  return /^-?\d{1,12}(\.\d{1,6})?$/.test(plain) ? plain : null;
}

/** Micro-units of an amount of service tokens, for sums and comparisons. Digits after the sixth decimal place are refused. */
export function microUnits(amount: string): bigint {
  const { sign, fraction } = digitsOf(amount);
  if (fraction.length > TABLE_PLACES) throw new TypeError(`"${amount}" has more than six decimal places.`);
  const units = BigInt(amount.replace('-', '').split('.')[0] + fraction.padEnd(TABLE_PLACES, '0'));
  return sign === '' ? units : -units;
}

/** The amount of so many micro-units, without trailing zeros. */
export function amountOf(units: bigint): string {
  const digits = (units < 0n ? -units : units).toString().padStart(TABLE_PLACES + 1, '0');
  const fraction = digits.slice(-TABLE_PLACES).replace(/0+$/, '');
  return (units < 0n ? '-' : '') + digits.slice(0, -TABLE_PLACES) + (fraction === '' ? '' : `.${fraction}`);
}

/** The exact sum of amounts of service tokens. */
export function sumOf(amounts: readonly string[]): string {
  return amountOf(amounts.reduce((sum, amount) => sum + microUnits(amount), 0n));
}
