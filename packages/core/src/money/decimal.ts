/** Powers of ten by their exponent, as far as amounts and rates need them. */
const POWERS_OF_TEN: readonly bigint[] = Array.from({ length: 19 }, (_none, exponent) => 10n ** BigInt(exponent));

const DIGIT_ZERO = 0x30;

function powerOfTen(exponent: number): bigint {
  const power = POWERS_OF_TEN[exponent];
  if (power === undefined) throw new RangeError(`no decimal has ${exponent} places here`);
  return power;
}

/** A plain decimal that has been checked already, as a whole number of units of so many decimal places: exact. */
export function unitsOf(text: string, scale: number): bigint {
  const point = text.indexOf('.');
  if (point === -1) return BigInt(text) * powerOfTen(scale);
  const places = text.length - point - 1;
  return BigInt(text.slice(0, point) + text.slice(point + 1)) * powerOfTen(scale - places);
}

/** Whole units of so many decimal places as a plain decimal, without exponent and trailing zeros. */
export function decimalOf(units: bigint, scale: number): string {
  const sign = units < 0n ? '-' : '';
  const digits = (units < 0n ? -units : units).toString().padStart(scale + 1, '0');
  let end = digits.length;
  while (end > digits.length - scale && digits.charCodeAt(end - 1) === DIGIT_ZERO) end -= 1;
  const point = digits.length - scale;
  return end === point ? `${sign}${digits.slice(0, point)}` : `${sign}${digits.slice(0, point)}.${digits.slice(point, end)}`;
}
