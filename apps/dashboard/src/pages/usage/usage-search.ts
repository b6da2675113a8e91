import { addDays, daysFrom, isDay } from '../../format/day';
import { lastDays, unitOf, type Period } from '../../format/period';
import { usage } from '#texts/usage';

/** Filters as in the URL. `start` and `end` are inclusive UTC days. */
export interface UsageSearch {
  readonly start?: string;
  readonly end?: string;
  /** The list shows only requests before this time. */
  readonly at?: string;
  readonly model?: string;
  readonly key_id?: string;
  readonly user?: string;
  readonly end_reason?: string;
  readonly min_charge?: string;
  /** Account id; only for operators. */
  readonly account?: string;
  readonly group?: string;
  /** `Measure` or `FIRST_TOKEN`; default: cost. */
  readonly measure?: string;
  readonly view?: string;
  /** Request id of the open record. */
  readonly record?: string;
}

const FILTER_NAMES = ['account', 'model', 'key_id', 'user', 'end_reason', 'min_charge'] as const;
/** Removes all filters. */
export const NO_FILTERS: UsageSearch = Object.fromEntries(FILTER_NAMES.map((name) => [name, '']));
export type FilterName = (typeof FILTER_NAMES)[number];
export type Filters = { readonly [name in FilterName]?: string };
export type EndReason = keyof typeof usage.endings;
export type Group = 'model' | 'key' | 'user' | 'account' | 'none';

/** The measure of the chart that is not a sum: the time to the first token. */
export const FIRST_TOKEN = 'first_token';

const DEFAULT_DAYS = 7;
export type Scope = 'own' | 'all';
const OF_ONE: readonly Group[] = ['model', 'key', 'user', 'none'];
const OF_ALL: readonly Group[] = ['model', 'account', 'none'];
const INSTANT = /^\d{4}-\d{2}-\d{2}T\d{2}:\d{2}:\d{2}(?:\.\d{1,3})?Z$/;
/** Filters without stored sums. */
const NOT_SUMMED: readonly FilterName[] = ['user', 'end_reason', 'min_charge'];

/** Period of the URL, by default the last seven days. */
export function periodOf({ start, end }: UsageSearch, today: string): Period {
  const last = end !== undefined && isDay(end) ? end : null;
  const first = start !== undefined && isDay(start) ? start : null;
  if (first === null) return lastDays(DEFAULT_DAYS, last ?? today);
  return { first, last: last ?? (first > today ? first : today) };
}

export function filtersOf(search: UsageSearch): Filters {
  return Object.fromEntries(FILTER_NAMES.filter((name) => search[name] !== undefined).map((name) => [name, search[name]]));
}

/** Groupings that are offered; by key and user only for one account. */
export function groupsOf({ account }: UsageSearch, scope: Scope): readonly Group[] {
  return scope === 'all' && account === undefined ? OF_ALL : OF_ONE;
}

export function groupOf(search: UsageSearch, scope: Scope): Group {
  return groupsOf(search, scope).find((name) => name === search.group) ?? 'model';
}

/** The grouping of the sums that are shown, which may still be the previous ones. */
export function dividedBy(groupBy: readonly string[]): Group {
  return [...OF_ONE, ...OF_ALL].find((name) => groupBy.includes(name)) ?? 'none';
}

function endReasonOf({ end_reason: reason }: Filters): EndReason | undefined {
  return reason !== undefined && reason in usage.endings ? reason as EndReason : undefined;
}

/** The period as queries take it: the first day, and the day after the last. */
function bounds({ first, last }: Period) {
  return { start: first, end: addDays(last, 1) };
}

function recordFilters(filters: Filters) {
  return { model: filters.model, key_id: filters.key_id, user: filters.user, end_reason: endReasonOf(filters), min_charge: filters.min_charge };
}

export function exportQuery(search: UsageSearch, today: string) {
  return { ...bounds(periodOf(search, today)), ...recordFilters(filtersOf(search)) };
}

/** Time in UTC before which the list begins; `null` if the URL has none, or an invalid one. */
export function jumpOf({ at }: UsageSearch): string | null {
  return at !== undefined && INSTANT.test(at) ? at : null;
}

export function listQuery(search: UsageSearch, today: string) {
  const query = exportQuery(search, today);
  const at = jumpOf(search);
  // A day and an instant, both in UTC, can be compared as strings.
  return { ...query, ...(at !== null && at < query.end ? { end: at } : {}) };
}

/** Filters that sums do not support. */
export function unsummedFilters(search: UsageSearch): readonly FilterName[] {
  return NOT_SUMMED.filter((name) => search[name] !== undefined);
}

/** Why there are no sums for a search. */
type SumGap = 'period' | 'filters' | 'user' | 'account' | 'model';

interface Viewed {
  readonly today: string;
  readonly scope: Scope;
}

/** Maximum length of a period with sums; the list has no such limit. */
export const MAX_SUMMED_DAYS = 366;

/**
 * `null` if there are sums. Sums by key or user exist for one account only, sums over all accounts only by model or account. Sums by user are stored
 * separately, without models and keys. There are no sums by end reason or charge.
 */
export function sumGap(search: UsageSearch, { today, scope }: Viewed): SumGap | null {
  const { first, last } = periodOf(search, today);
  const group = groupOf(search, scope);
  const unsummed = unsummedFilters(search);
  if (daysFrom(first, last) > MAX_SUMMED_DAYS) return 'period';
  if (scope === 'all' && search.account === undefined && (search.key_id !== undefined || search.user !== undefined)) return 'account';
  if (group === 'account' && search.model !== undefined) return 'model';
  if (unsummed.some((name) => name !== 'user')) return 'filters';
  const isByUser = group === 'user' || unsummed.length > 0;
  if (isByUser && (search.model !== undefined || search.key_id !== undefined)) return 'user';
  return null;
}

/** The sum of one user is taken from the sums of all users. */
export function summaryQuery(search: UsageSearch, { today, scope }: Viewed) {
  const period = periodOf(search, today);
  const group = groupOf(search, scope);
  const isByUser = group === 'user' || search.user !== undefined;
  const unit = unitOf(period);
  return { ...bounds(period), group_by: isByUser ? 'user' : group === 'none' ? unit : `${unit},${group}`, model: search.model, key_id: search.key_id };
}

/** Sums of one user are not compared: they are taken from those of all users. */
export function isCompared(search: UsageSearch, viewed: Viewed): boolean {
  return sumGap(search, viewed) === null && search.user === undefined;
}

/** Query for the total of the preceding period of the same length. */
export function beforeQuery(search: UsageSearch, today: string) {
  const { first, last } = periodOf(search, today);
  return { ...bounds({ first: addDays(first, -daysFrom(first, last)), last: addDays(first, -1) }), model: search.model, key_id: search.key_id };
}

/** Query for the times to the first token, by the columns of the chart. */
export function firstTokenQuery(search: UsageSearch, today: string) {
  const period = periodOf(search, today);
  return { ...bounds(period), by: unitOf(period), model: search.model, key_id: search.key_id };
}

/** Query for the sums of every group over the whole period. */
export function groupsQuery(search: UsageSearch, { today, group }: { readonly today: string; readonly group: Group }) {
  return { ...bounds(periodOf(search, today)), group_by: group, model: search.model, key_id: search.key_id };
}

const FILTER_OF: Readonly<Record<Exclude<Group, 'none'>, FilterName>> = { model: 'model', key: 'key_id', user: 'user', account: 'account' };

/** Filters for one series of a chart. Owners who choose a model also see its requests grouped by key. */
export function seriesSearch(group: Group, id: string, scope: Scope): UsageSearch {
  if (group === 'none') return {};
  return { [FILTER_OF[group]]: id, group: group === 'model' && scope === 'own' ? 'key' : '' };
}

export function filterCount(search: UsageSearch): number {
  return Object.keys(filtersOf(search)).length;
}

/** Applies a change of filters, and drops the open record and the jump, which belong to the previous filters. */
export function changed(search: UsageSearch, change: UsageSearch): UsageSearch {
  const { record: _record, at: _at, ...rest } = search;
  return Object.fromEntries(Object.entries({ ...rest, ...change }).filter(([, value]) => value !== undefined && value !== ''));
}

/** True if the searches differ at most in the open record and the jump. */
export function isSameExtent(one: UsageSearch, other: UsageSearch): boolean {
  return JSON.stringify(changed(one, {})) === JSON.stringify(changed(other, {}));
}
