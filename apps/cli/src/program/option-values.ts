import {
  DISPLAY_NAME_RULE, EVENT_TYPES, type EventType, type Instant, isDisplayName, isMailAddress, later, MILLISECONDS_PER_DAY, MILLISECONDS_PER_HOUR, MILLISECONDS_PER_MINUTE,
  MILLISECONDS_PER_SECOND, type PageSize, parseRfc3339, parseUtcDay, ServiceTokens, type TokenCount, tokenCount, type UtcDay, utcDayOf,
} from '@tollgate/core';
import { InvalidArgumentError } from 'commander';

/** Parses an amount. Commander adds the name of the option or argument to the error. */
export function amountValue(text: string): ServiceTokens {
  const amount = /^\d{1,12}(\.\d{1,6})?$/.test(text) ? ServiceTokens.parse(text) : ServiceTokens.ZERO;
  if (amount.isZero()) throw new InvalidArgumentError('It must be a decimal number above 0 with at most 6 decimal places.');
  return amount;
}

/** Like `amountValue`, but accepts 0. */
export function creditValue(text: string): ServiceTokens {
  return /^0+(\.0+)?$/.test(text) ? ServiceTokens.ZERO : amountValue(text);
}

/** Like `amountValue`, with an optional sign. */
export function correctionValue(text: string): ServiceTokens {
  const amount = amountValue(text.replace(/^[+-]/, ''));
  return text.startsWith('-') ? ServiceTokens.ZERO.minus(amount) : amount;
}

export function countValue(text: string): TokenCount {
  if (!/^\d{1,12}$/.test(text)) throw new InvalidArgumentError('It must be a whole number, at least 0.');
  return tokenCount(Number(text));
}

/** Event types, separated by commas. */
export function eventTypesValue(text: string): readonly EventType[] {
  const names = text.split(',').map((name) => name.trim());
  const types = EVENT_TYPES.filter((type) => names.includes(type));
  if (types.length !== new Set(names).size) throw new InvalidArgumentError(`It must name one or more of ${EVENT_TYPES.join(', ')}.`);
  return types;
}

/** The option for the size of a page: its flag, its help, its parser and its default. */
export function pageSizeOption({ usual, most }: PageSize) {
  const parse = (text: string): number => {
    const size = /^\d{1,6}$/.test(text) ? Number(text) : 0;
    if (size < 1 || size > most) throw new InvalidArgumentError(`It must be a whole number from 1 to ${most}.`);
    return size;
  };
  return ['--limit <number>', `maximum number to list, at most ${most}`, parse, usual] as const;
}

const UNITS = { s: MILLISECONDS_PER_SECOND, m: MILLISECONDS_PER_MINUTE, h: MILLISECONDS_PER_HOUR, d: MILLISECONDS_PER_DAY } as const;
/** Matches a time whose seconds are omitted. */
const WITHOUT_SECONDS = /(T\d{2}:\d{2})(?=Z|[+-])/;

/** Computes a point in time. `now` is the time of the command, from which relative times are counted. */
export type TimeValue = (now: Instant) => Instant;

/** `2026-11-21`, `2026-11-21T10:00:00Z`, or `45s`, `30m`, `12h`, `90d` from now. */
export function timeValue(text: string): TimeValue {
  const [, number, unit] = /^(\d{1,5})([smhd])$/.exec(text) ?? [];
  if (number !== undefined && unit !== undefined) return (now) => later(now, Number(number) * UNITS[unit as keyof typeof UNITS]);
  const at = parseUtcDay(text) ?? parseRfc3339(text.replace(WITHOUT_SECONDS, '$1:00'));
  if (at === null) {
    throw new InvalidArgumentError('It must be a day (2026-11-21), a time (2026-11-21T10:00:00Z) or a span from now (45s, 30m, 12h, 90d).');
  }
  return () => at;
}

/** Like `timeValue`, but a date stands for its last millisecond in UTC, so that an expiry date is the last valid day. */
export function endTimeValue(text: string): TimeValue {
  const day = parseUtcDay(text);
  return day === null ? timeValue(text) : () => later(day, MILLISECONDS_PER_DAY - 1);
}

/** Like `timeValue`, but a span reaches back from now. */
export function pastTimeValue(text: string): TimeValue {
  const at = timeValue(text);
  return /^\d+[smhd]$/.test(text) ? (now) => later(now, now - at(now)) : at;
}

/** A day in UTC, such as `2026-11-21`. */
export function dayValue(text: string): UtcDay {
  const day = parseUtcDay(text);
  if (day === null) throw new InvalidArgumentError('It must be a day (2026-11-21).');
  return utcDayOf(day);
}

export function nameValue(text: string): string {
  if (isDisplayName(text)) return text;
  throw new InvalidArgumentError(`It must be ${DISPLAY_NAME_RULE}.`);
}

export function mailAddressValue(text: string): string {
  if (isMailAddress(text)) return text;
  throw new InvalidArgumentError('It must be one e-mail address.');
}
