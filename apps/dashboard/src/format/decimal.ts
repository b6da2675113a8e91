/** Exact decimals with at most 18 places, the most that amounts of the API have. */
const DECIMAL = /^(-?)(\d+)(?:\.(\d{1,18}))?$/;
const PLACES = 18;
const ONE = 10n ** BigInt(PLACES);
const CENT = ONE / 100n;
const CENT_PLACES = 2;

/** The decimal in units of its 18th place. Throws unless the text is a plain decimal. */
export function unitsOf(text: string): bigint {
  const match = DECIMAL.exec(text);
  if (match === null) throw new TypeError(`"${text}" is not a decimal with at most 18 places.`);
  const [, sign = '', whole = '', fraction = ''] = match;
  const units = BigInt(whole + fraction.padEnd(PLACES, '0'));
  return sign === '' ? units : -units;
}

/** The decimal for a number of units, without trailing zeros. */
export function decimalOf(units: bigint): string {
  const digits = (units < 0n ? -units : units).toString().padStart(PLACES + 1, '0');
  const fraction = digits.slice(-PLACES).replace(/0+$/, '');
  return (units < 0n ? '-' : '') + digits.slice(0, -PLACES) + (fraction === '' ? '' : `.${fraction}`);
}

export function decimalSum(decimals: readonly string[]): string {
  return decimalOf(decimals.reduce((sum, decimal) => sum + unitsOf(decimal), 0n));
}

/** Extrapolates the amount of `parts` parts to `whole` parts of the same size, rounded down to the last place. The amount must not be negative. */
export function projected(decimal: string, parts: number, whole: number): string {
  return decimalOf(unitsOf(decimal) * BigInt(whole) / BigInt(parts));
}

/** Rounds half away from zero to a multiple of `step`, a power of ten. */
function roundedTo(units: bigint, step: bigint): bigint {
  const magnitude = units < 0n ? -units : units;
  const rounded = (magnitude + step / 2n) / step * step;
  return units < 0n ? -rounded : rounded;
}

/** Rounds to cents, below a cent to two significant digits, so that only zero reads as zero. */
export function roundedToCents(amount: string): string {
  const units = unitsOf(amount);
  const magnitude = units < 0n ? -units : units;
  if (magnitude === 0n || magnitude >= CENT) return withPlaces(roundedTo(units, CENT), CENT_PLACES);
  const digits = magnitude.toString().length;
  const rounded = roundedTo(units, digits <= 2 ? 1n : 10n ** BigInt(digits - 2));
  // Rounding up may reach a cent.
  return rounded === CENT || rounded === -CENT ? withPlaces(rounded, CENT_PLACES) : decimalOf(rounded);
}

function withPlaces(units: bigint, places: number): string {
  const [whole = '', fraction = ''] = decimalOf(units).split('.');
  return `${whole}.${fraction.padEnd(places, '0')}`;
}
