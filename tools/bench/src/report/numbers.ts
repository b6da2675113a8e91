const SIGNIFICANT_DIGITS = 3;

/** Three digits that mean something, and never an exponent. */
export function digits(value: number): string {
  if (!Number.isFinite(value)) return '-';
  if (Math.abs(value) >= 100) return value.toFixed(0);
  const decimals = value === 0 ? 0 : Math.max(0, SIGNIFICANT_DIGITS - 1 - Math.floor(Math.log10(Math.abs(value))));
  return value.toFixed(Math.min(decimals, SIGNIFICANT_DIGITS));
}

export function percent(share: number): string {
  return `${(share * 100).toFixed(0)} %`;
}
