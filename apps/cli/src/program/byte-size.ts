const STEP = 1_000;
const UNITS = ['B', 'kB', 'MB', 'GB', 'TB'] as const;

/** For example `0 B` or `1.2 MB`: a figure below 10 in kB or a larger unit has one decimal place. */
export function byteSizeText(bytes: number): string {
  let [size, unit] = [bytes, 0];
  while (Math.round(size) >= STEP && unit < UNITS.length - 1) {
    size /= STEP;
    unit += 1;
  }
  const isRounded = unit > 0 && size < 9.95;
  return `${size.toFixed(isRounded ? 1 : 0)} ${UNITS[unit] ?? ''}`;
}
