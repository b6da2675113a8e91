import { addDays, dayLabel, daysFrom } from './day';

/** Includes its first and its last day. */
export interface Period {
  readonly first: string;
  readonly last: string;
}

export type PresetName = 'today' | 'yesterday' | 'last7' | 'last30' | 'thisMonth' | 'lastMonth' | 'last90' | 'last365';

const DAYS = { last7: 7, last30: 30, last90: 90, last365: 365 } as const;

/** Includes `today`. */
export function lastDays(days: number, today: string): Period {
  return { first: addDays(today, 1 - days), last: today };
}

/** The preset periods as of the given day. */
export function presetPeriods(today: string): Readonly<Record<PresetName, Period>> {
  const yesterday = addDays(today, -1);
  const monthBefore = addDays(`${today.slice(0, 7)}-01`, -1);
  return {
    today: { first: today, last: today },
    yesterday: { first: yesterday, last: yesterday },
    last7: lastDays(DAYS.last7, today),
    last30: lastDays(DAYS.last30, today),
    thisMonth: { first: `${today.slice(0, 7)}-01`, last: today },
    lastMonth: { first: `${monthBefore.slice(0, 7)}-01`, last: monthBefore },
    last90: lastDays(DAYS.last90, today),
    last365: lastDays(DAYS.last365, today),
  };
}

/** Last month up to the same day, or all of it if it is shorter. */
export function sameDaysOfLastMonth(today: string): Period {
  const { first, last } = presetPeriods(today).lastMonth;
  const same = first.slice(0, 8) + today.slice(8);
  return { first, last: same < last ? same : last };
}

/** The first preset with these days; `null` if there is none. */
export function presetOf({ first, last }: Period, today: string): PresetName | null {
  const found = Object.entries(presetPeriods(today)).find(([, period]) => period.first === first && period.last === last);
  return found === undefined ? null : found[0] as PresetName;
}

/** For example `16 – 22 Nov`, `28 Nov – 2 Dec`, `22 Nov`. */
export function periodLabel({ first, last }: Period, today: string): string {
  if (first === last) return dayLabel(first, today);
  const [from, to] = [dayLabel(first, today), dayLabel(last, today)];
  return first.slice(0, 7) === last.slice(0, 7) ? `${from.split(' ')[0] ?? ''} – ${to}` : `${from} – ${to}`;
}

export type PeriodUnit = 'day' | 'week' | 'month';
const MAX_DAY_BARS = 92;
const MAX_WEEK_DAYS = 366;

/** Days, weeks or months, to limit the number of bars. */
export function unitOf({ first, last }: Period): PeriodUnit {
  const days = daysFrom(first, last);
  if (days <= MAX_DAY_BARS) return 'day';
  return days <= MAX_WEEK_DAYS ? 'week' : 'month';
}

const WEEK = 7;

export function mondayOf(day: string): string {
  // 5 January 1970 was a Monday.
  const sinceMonday = (daysFrom('1970-01-05', day) - 1) % WEEK;
  return addDays(day, -(sinceMonday < 0 ? sinceMonday + WEEK : sinceMonday));
}

/** The day, the week's Monday, or the month as `2026-11`. */
function columnOf(day: string, unit: PeriodUnit): string {
  if (unit === 'day') return day;
  return unit === 'week' ? mondayOf(day) : day.slice(0, 7);
}

/** Columns of the period, in order. */
export function periodColumns({ first, last }: Period, unit: PeriodUnit): readonly string[] {
  const columns = new Set<string>();
  for (let day = first; day <= last; day = addDays(day, 1)) columns.add(columnOf(day, unit));
  return [...columns];
}

/** The days of the column that are in the period. */
export function columnPeriod(column: string, unit: PeriodUnit, { first, last }: Period): Period {
  const from = unit === 'month' ? `${column}-01` : column;
  const to = unit === 'day' ? column : unit === 'week' ? addDays(column, WEEK - 1) : addDays(`${addDays(from, 31).slice(0, 7)}-01`, -1);
  return { first: from < first ? first : from, last: to > last ? last : to };
}
