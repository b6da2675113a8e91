const MILLION_PLACES = 6;

/** A price of one model token as that of a million, digit for digit: `0.00275` is `2750`. */
export function perMillion(rate: string): string {
  const [whole = '', fraction = ''] = rate.split('.');
  const shifted = fraction.padEnd(MILLION_PLACES, '0');
  const digits = (whole + shifted.slice(0, MILLION_PLACES)).replace(/^0+(?=\d)/, '');
  const rest = shifted.slice(MILLION_PLACES).replace(/0+$/, '');
  return rest === '' ? digits : `${digits}.${rest}`;
}
