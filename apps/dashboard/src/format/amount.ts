import { locale } from '#locale';
import type { Locale } from '../locale/locale';
import { roundedToCents } from './decimal';

const { decimalPoint: POINT } = locale;

/** Amounts stay exact strings and never become numbers: an optional minus, digits, an optional fraction. */
const AMOUNT = /^(-?)(\d+)(?:\.(\d+))?$/;
const TILE_PLACES = 2;
const TABLE_PLACES = 6;

/** The amount as a prominent part and muted digits. */
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
  if (match === null) throw new TypeError(`"${amount}" is not a decimal amount.`);
  const [, sign = '', whole = '', fraction = ''] = match;
  return { sign: sign === '-' ? '−' : '', whole: grouped(whole), fraction };
}

/** Groups the digits of a whole number: `61234` becomes `61,234`. */
export function grouped(digits: string): string {
  return digits.replaceAll(/\B(?=(\d{3})+$)/g, locale.groupSeparator);
}

/** Adds grouping only: `998412.640118` becomes `998,412.640118`. */
export function exactAmount(amount: string): string {
  const { sign, whole, fraction } = digitsOf(amount);
  return sign + whole + (fraction === '' ? '' : POINT + fraction);
}

/** Dollars rounded to cents, below a cent to two significant digits. Use only where the reader can get the exact amount. */
export function roundedDollars(amount: string): string {
  return dollars(roundedToCents(amount));
}

/** Dollars with every digit, and at least two decimal places. */
export function dollars(amount: string): string {
  const { sign, whole, fraction } = digitsOf(amount);
  return `${sign}$${whole}${POINT}${fraction.padEnd(TILE_PLACES, '0')}`;
}

/** Mutes decimal places after the second. */
export function tileParts(amount: string): AmountParts {
  const { sign, whole, fraction } = digitsOf(amount);
  return { main: sign + whole + (fraction === '' ? '' : POINT + fraction.slice(0, TILE_PLACES)), muted: fraction.slice(TILE_PLACES) };
}

/** At least six decimal places with muted trailing zeros, so that points align. */
export function columnParts(amount: string): AmountParts {
  const { sign, whole, fraction } = digitsOf(amount);
  const significant = fraction.replace(/0+$/, '');
  const zeros = fraction.padEnd(TABLE_PLACES, '0').slice(significant.length);
  return significant === '' ? { main: sign + whole, muted: POINT + zeros } : { main: `${sign}${whole}${POINT}${significant}`, muted: zeros };
}

export function isZero(amount: string): boolean {
  return !/[1-9]/.test(amount);
}

/**
 * Normalises typed text for the API; `null` if invalid. Removes spaces and group separators. A point is the decimal point in every language, unless
 * it separates groups.
 */
export function typedAmount(text: string, { decimalPoint, groupSeparator }: Pick<Locale, 'decimalPoint' | 'groupSeparator'> = locale): string | null {
  const trimmed = text.trim();
  const groups = groupSeparator === '.' && /^-?\d+\.\d+$/.test(trimmed) && !/^-?\d{1,3}\.\d{3}$/.test(trimmed) ? ' ' : groupSeparator;
  const plain = trimmed.replaceAll(/(?<=\d)[ \u00a0\u202f](?=\d{3})/g, '').replaceAll(new RegExp(`(?<=\\d)[${groups}](?=\\d{3}(?!\\d))`, 'g'), '').replace(decimalPoint, '.');
  return /^-?\d{1,12}(\.\d{1,6})?$/.test(plain) ? plain : null;
}

/** Micro-units of service tokens. Throws beyond six decimal places. */
export function microUnits(amount: string): bigint {
  const { sign, fraction } = digitsOf(amount);
  if (fraction.length > TABLE_PLACES) throw new TypeError(`"${amount}" has more than six decimal places.`);
  const units = BigInt(amount.replace('-', '').split('.')[0] + fraction.padEnd(TABLE_PLACES, '0'));
  return sign === '' ? units : -units;
}

/** Converts micro-units to a decimal without trailing zeros. */
export function amountOf(units: bigint): string {
  const digits = (units < 0n ? -units : units).toString().padStart(TABLE_PLACES + 1, '0');
  const fraction = digits.slice(-TABLE_PLACES).replace(/0+$/, '');
  return (units < 0n ? '-' : '') + digits.slice(0, -TABLE_PLACES) + (fraction === '' ? '' : `.${fraction}`);
}

/** Exact sum of amounts of service tokens. */
export function sumOf(amounts: readonly string[]): string {
  return amountOf(amounts.reduce((sum, amount) => sum + microUnits(amount), 0n));
}
