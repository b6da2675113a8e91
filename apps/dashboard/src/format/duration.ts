const SECOND = 1_000;
const MINUTE = 60 * SECOND;
const HOUR = 60 * MINUTE;
const DAY = 24 * HOUR;

/** For example `412 ms`, `6.31 s`, `3 min 20 s`, `2 h 5 min`, `12 days`. */
export function duration(milliseconds: number): string {
  if (milliseconds < SECOND) return `${Math.round(milliseconds)} ms`;
  if (milliseconds < MINUTE) return `${(milliseconds / SECOND).toFixed(2)} s`;
  if (milliseconds < HOUR) return twoUnits(milliseconds, [MINUTE, 'min'], [SECOND, 's']);
  if (milliseconds < DAY) return twoUnits(milliseconds, [HOUR, 'h'], [MINUTE, 'min']);
  const days = Math.floor(milliseconds / DAY);
  return days === 1 ? '1 day' : `${days} days`;
}

/** From whole seconds: `21 s`, `1 min 1 s`, `2 h 5 min`. */
export function wait(seconds: number): string {
  return seconds < 60 ? `${seconds} s` : duration(seconds * SECOND);
}

type Unit = readonly [milliseconds: number, name: string];

function twoUnits(milliseconds: number, [large, largeName]: Unit, [small, smallName]: Unit): string {
  const rest = Math.floor((milliseconds % large) / small);
  return `${Math.floor(milliseconds / large)} ${largeName}${rest === 0 ? '' : ` ${rest} ${smallName}`}`;
}

/** For example `about 3 months`, `about 14 years`. */
export function aboutDays(days: number): string {
  if (days < 60) return days === 1 ? 'about 1 day' : `about ${days} days`;
  if (days < 730) return `about ${Math.round(days / 30.44)} months`;
  return `about ${Math.round(days / 365.25).toLocaleString('en')} years`;
}
