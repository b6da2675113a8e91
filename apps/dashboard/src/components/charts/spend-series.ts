import { decimalOf, unitsOf } from '../../format/decimal';

export interface ChartSum {
  /** What is drawn: dollars of costs, or a count. */
  readonly amount: string;
  /** Service tokens of costs; '0' for counts. */
  readonly tokens: string;
}

/** The sum of a series in a column. */
export interface SpendPoint extends ChartSum {
  readonly column: string;
  /** Id of a model or key; `null` for requests without one. */
  readonly series: string | null;
  /** Number of series that the gateway has summed in this point; absent for a single series. */
  readonly others?: number;
}

/** One series, or the sum of all beyond the fifth. */
export interface SpendSeries {
  /** `s0` has the highest sum. */
  readonly key: string;
  /** The id of the series, or the known ids of the series in a sum. */
  readonly ids: readonly (string | null)[];
  readonly isOther: boolean;
  /** Number of summed series; 1 for a single one. */
  readonly count: number;
  readonly total: ChartSum;
  /** The summed series that have an id in `ids`, the highest first. */
  readonly parts: readonly SeriesPart[];
}

export interface SeriesPart {
  readonly id: string | null;
  readonly total: ChartSum;
}

export interface SpendColumn {
  readonly column: string;
  /** Sums by series key; series whose sum is zero are omitted. */
  readonly sums: Readonly<Record<string, ChartSum>>;
  readonly total: ChartSum;
}

export interface SpendTable {
  readonly series: readonly SpendSeries[];
  readonly columns: readonly SpendColumn[];
  readonly total: ChartSum;
  /** The first column with the highest sum; `null` if all sums are zero. */
  readonly largest: SpendColumn | null;
}

const MAX_SERIES = 5;
const OTHER = 'other';
export const NO_SUM: ChartSum = { amount: '0', tokens: '0' };

/** A running sum, in units of the 18th decimal place. */
interface Units {
  readonly amount: bigint;
  readonly tokens: bigint;
}

const NO_UNITS: Units = { amount: 0n, tokens: 0n };

function plus({ amount, tokens }: Units, sum: ChartSum): Units {
  return { amount: amount + unitsOf(sum.amount), tokens: tokens + unitsOf(sum.tokens) };
}

function sumOf({ amount, tokens }: Units): ChartSum {
  return { amount: decimalOf(amount), tokens: decimalOf(tokens) };
}

function chartSum(sums: readonly ChartSum[]): ChartSum {
  return sumOf(sums.reduce(plus, NO_UNITS));
}

function ranked(points: readonly SpendPoint[]): SeriesPart[] {
  const found = new Map<string | null, Units>();
  for (const point of points) found.set(point.series, plus(found.get(point.series) ?? NO_UNITS, point));
  return [...found].filter(([, { amount }]) => amount > 0n)
    .toSorted(([a, first], [b, second]) => (first.amount === second.amount ? String(a).localeCompare(String(b)) : first.amount > second.amount ? -1 : 1))
    .map(([id, units]) => ({ id, total: sumOf(units) }));
}

function seriesOf(points: readonly SpendPoint[], summed: readonly SpendPoint[]): SpendSeries[] {
  const all = ranked(points);
  const cut = all.length + (summed.length === 0 ? 0 : 2) > MAX_SERIES + 1 ? MAX_SERIES : all.length;
  const own = all.slice(0, cut).map((part, rank): SpendSeries => ({
    key: rank < MAX_SERIES ? `s${rank}` : OTHER, ids: [part.id], isOther: false, count: 1, total: part.total, parts: [part],
  }));
  const rest = all.slice(cut);
  const total = chartSum([...rest.map((part) => part.total), ...summed]);
  if (rest.length === 0 && unitsOf(total.amount) === 0n) return own;
  const count = rest.length + summed.reduce((most, { others = 0 }) => Math.max(most, others), 0);
  return [...own, { key: OTHER, ids: rest.map(({ id }) => id), isOther: true, count, total, parts: rest }];
}

/**
 * Sums exactly by column and series, the highest series first. Shows up to six series; of more, the highest five and the sum of the others. Ignores
 * points of other columns.
 */
export function spendTable(columns: readonly string[], points: readonly SpendPoint[]): SpendTable {
  const known = new Set(columns);
  const within = points.filter(({ column }) => known.has(column));
  const isSummed = ({ others }: SpendPoint) => others !== undefined;
  const series = seriesOf(within.filter((point) => !isSummed(point)), within.filter(isSummed));
  const keyOf = new Map(series.flatMap(({ key, ids }) => ids.map((id) => [id, key] as const)));
  const units = new Map(columns.map((column) => [column, new Map<string, Units>()]));
  for (const point of within) {
    const key = isSummed(point) ? OTHER : keyOf.get(point.series);
    const cells = units.get(point.column);
    if (key !== undefined && cells !== undefined) cells.set(key, plus(cells.get(key) ?? NO_UNITS, point));
  }
  const rows = [...units].map(([column, cells]): SpendColumn => {
    const sums = [...cells].map(([key, cell]) => [key, sumOf(cell)] as const);
    return { column, sums: Object.fromEntries(sums), total: chartSum(sums.map(([, sum]) => sum)) };
  });
  return { series, columns: rows, total: chartSum(rows.map(({ total }) => total)), largest: largestOf(rows) };
}

function largestOf(rows: readonly SpendColumn[]): SpendColumn | null {
  const highest = rows.reduce<SpendColumn | null>((best, row) => (best === null || unitsOf(row.total.amount) > unitsOf(best.total.amount) ? row : best), null);
  return highest === null || unitsOf(highest.total.amount) === 0n ? null : highest;
}

const COLORS: Readonly<Record<string, string>> = {
  s0: 'var(--series-1)', s1: 'var(--series-2)', s2: 'var(--series-3)', s3: 'var(--series-4)', s4: 'var(--series-5)', [OTHER]: 'var(--series-other)',
};

export function seriesColor(key: string): string {
  return COLORS[key] ?? 'var(--series-other)';
}
