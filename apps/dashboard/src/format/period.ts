import { addDays, dayLabel, daysFrom } from './day';

/** UTC days from `first` to `last`, both included. */
export interface Period {
  readonly first: string;
  readonly last: string;
}

/** A period that is named rather than dated. */
export type PresetName = 'today' | 'yesterday' | 'last7' | 'last30' | 'thisMonth' | 'lastMonth' | 'last90' | 'last365';

const DAYS = { last7: 7, last30: 30, last90: 90, last365: 365 } as const;

/** The days so many days back, `today` included. */
export function lastDays(days: number, today: string): Period {
  return { first: addDays(today, 1 - days), last: today };
}

/** The named periods as days, as seen on a day. */
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

/** The name of a period, if it has one on this day. The first that fits: on the first of a month, today is also this month. */
export function presetOf({ first, last }: Period, today: string): PresetName | null {
  const found = Object.entries(presetPeriods(today)).find(([, period]) => period.first === first && period.last === last);
  return found === undefined ? null : found[0] as PresetName;
}

/** `16 – 22 Nov`, `28 Nov – 2 Dec`, `22 Nov`. */
export function periodLabel({ first, last }: Period, today: string): string {
  if (first === last) return dayLabel(first, today);
  const [from, to] = [dayLabel(first, today), dayLabel(last, today)];
  return first.slice(0, 7) === last.slice(0, 7) ? `${from.split(' ')[0] ?? ''} – ${to}` : `${from} – ${to}`;
}

export type PeriodUnit = 'day' | 'week' | 'month';
const MAX_DAY_BARS = 92;
const MAX_WEEK_DAYS = 366;

/** How bars divide a period, so that there are not too many: by days, then weeks, then months. */
export function unitOf({ first, last }: Period): PeriodUnit {
  const days = daysFrom(first, last);
  if (days <= MAX_DAY_BARS) return 'day';
  return days <= MAX_WEEK_DAYS ? 'week' : 'month';
}

const WEEK = 7;

/** The Monday of a day's week. */
export function mondayOf(day: string): string {
  // A Monday, by which others are counted.
  const sinceMonday = (daysFrom('1970-01-05', day) - 1) % WEEK;
  return addDays(day, -(sinceMonday < 0 ? sinceMonday + WEEK : sinceMonday));
}

/** The label of the bar that a day belongs to: the day, the Monday of its week, or its month as `2026-11`. */
function columnOf(day: string, unit: PeriodUnit): string {
  if (unit === 'day') return day;
  return unit === 'week' ? mondayOf(day) : day.slice(0, 7);
}

/** The bars of a period, in their order. */
export function periodColumns({ first, last }: Period, unit: PeriodUnit): readonly string[] {
  const columns = new Set<string>();
  for (let day = first; day <= last; day = addDays(day, 1)) columns.add(columnOf(day, unit));
  return [...columns];
}

/** The days of a bar, those alone that are in the period. */
export function columnPeriod(column: string, unit: PeriodUnit, { first, last }: Period): Period {
  const from = unit === 'month' ? `${column}-01` : column;
  const to = unit === 'day' ? column : unit === 'week' ? addDays(column, WEEK - 1) : addDays(`${addDays(from, 31).slice(0, 7)}-01`, -1);
  return { first: from < first ? first : from, last: to > last ? last : to };
}
