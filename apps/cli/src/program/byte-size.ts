const STEP = 1_000;
const UNITS = ['B', 'kB', 'MB', 'GB', 'TB'] as const;

/** `0 B`, `1.2 MB`: with one decimal place if a figure in kB or more is below 10. */
export function byteSizeText(bytes: number): string {
  let [size, unit] = [bytes, 0];
  while (Math.round(size) >= STEP && unit < UNITS.length - 1) {
    size /= STEP;
    unit += 1;
  }
  const isRounded = unit > 0 && size < 9.95;
  return `${size.toFixed(isRounded ? 1 : 0)} ${UNITS[unit] ?? ''}`;
}
