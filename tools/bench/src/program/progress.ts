const SECONDS_PER_MINUTE = 60;

/** How far a run is. */
export interface Advance {
  /** About how many seconds each of its parts takes. */
  readonly expected: readonly number[];
  /** Which part it is in, counted from 0. */
  readonly part: number;
  /** Since that part began; a part that takes longer than expected is taken to be about to end. */
  readonly spentSeconds: number;
}

function sum(values: readonly number[]): number {
  return values.reduce((total, value) => total + value, 0);
}

function clockTime(seconds: number): string {
  const whole = Math.round(seconds);
  return `${Math.floor(whole / SECONDS_PER_MINUTE)}:${String(whole % SECONDS_PER_MINUTE).padStart(2, '0')}`;
}

/** How far a run is and how long the rest takes, both about, in a few words such as `40 %, about 3:05 left`. */
export function progressText({ expected, part, spentSeconds }: Advance): string {
  const left = Math.max(0, (expected[part] ?? 0) - spentSeconds) + sum(expected.slice(part + 1));
  const all = sum(expected);
  const share = all === 0 ? 1 : 1 - left / all;
  return `${Math.floor(share * 100)} %, about ${clockTime(left)} left`;
}
