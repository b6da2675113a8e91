import { dollars, exactAmount } from './amount';

/** Exact decimal strings, multiplied as integers. */
const DECIMAL = /^(\d+)(?:\.(\d+))?$/;

interface Scaled {
  readonly digits: bigint;
  /** Number of decimal places. */
  readonly places: number;
}

function scaled(decimal: string): Scaled {
  const match = DECIMAL.exec(decimal);
  if (match === null) throw new TypeError(`"${decimal}" is no decimal price.`);
  const [, whole = '', fraction = ''] = match;
  return { digits: BigInt(whole + fraction), places: fraction.length };
}

function written({ digits, places }: Scaled): string {
  const text = digits.toString().padStart(places + 1, '0');
  const fraction = places === 0 ? '' : text.slice(-places).replace(/0+$/, '');
  return (places === 0 ? text : text.slice(0, -places)) + (fraction === '' ? '' : `.${fraction}`);
}

/** Exact product, without trailing zeros. */
export function product(a: string, b: string): string {
  const [first, second] = [scaled(a), scaled(b)];
  return written({ digits: first.digits * second.digits, places: first.places + second.places });
}

const MILLION = '1000000';

/** Per million model tokens. */
interface MillionPrice {
  readonly tokens: string;
  readonly usd: string;
}

export function perMillion(perToken: string, usdPerServiceToken: string): MillionPrice {
  const tokens = product(perToken, MILLION);
  return { tokens, usd: product(tokens, usdPerServiceToken) };
}

/** Dollars, with the service tokens in parentheses: `$3 (3,000)`. Whole dollars have no decimal places, others at least two. */
export function priceText({ tokens, usd }: MillionPrice): string {
  return `${usd.includes('.') ? dollars(usd) : `$${exactAmount(usd)}`} (${exactAmount(tokens)})`;
}

/** Negative if `a` is less than `b`, positive if `a` is more, otherwise zero. */
export function compared(a: string, b: string): number {
  const [first, second] = [scaled(a), scaled(b)];
  const places = Math.max(first.places, second.places);
  const raised = ({ digits, places: own }: Scaled) => digits * 10n ** BigInt(places - own);
  const difference = raised(first) - raised(second);
  return difference === 0n ? 0 : difference < 0n ? -1 : 1;
}

/** Exact sum, without trailing zeros. */
export function total(a: string, b: string): string {
  const [first, second] = [scaled(a), scaled(b)];
  const places = Math.max(first.places, second.places);
  const raised = ({ digits, places: own }: Scaled) => digits * 10n ** BigInt(places - own);
  return written({ digits: raised(first) + raised(second), places });
}
