import { amountOf, microUnits } from '../../format/amount';

/** Service tokens of a series in a column. */
export interface SpendPoint {
  readonly column: string;
  /** A model or key; `null` without a name. */
  readonly series: string | null;
  readonly amount: string;
  /** Number of series that the gateway summed here. */
  readonly others?: number;
}

/** One series, or the sum of all beyond the fifth. */
export interface SpendSeries {
  /** `s0` has the highest spend. */
  readonly key: string;
  /** The id of the series, or the known ids of the series in a sum. */
  readonly ids: readonly (string | null)[];
  readonly isOther: boolean;
  /** Number of summed series; 1 for a single one. */
  readonly count: number;
  readonly total: string;
}

export interface SpendColumn {
  readonly column: string;
  /** Exact amounts by series key, without zeros. */
  readonly amounts: Readonly<Record<string, string>>;
  readonly total: string;
}

export interface SpendTable {
  readonly series: readonly SpendSeries[];
  readonly columns: readonly SpendColumn[];
  readonly total: string;
  /** The first maximum; `null` without spend. */
  readonly largest: SpendColumn | null;
}

const MAX_SERIES = 5;
const OTHER = 'other';

function totals(points: readonly SpendPoint[]): Map<string | null, bigint> {
  const found = new Map<string | null, bigint>();
  for (const { series, amount } of points) found.set(series, (found.get(series) ?? 0n) + microUnits(amount));
  return found;
}

function ranked(points: readonly SpendPoint[]): (readonly [id: string | null, units: bigint])[] {
  return [...totals(points)].filter(([, units]) => units > 0n)
    .toSorted(([a, first], [b, second]) => (first === second ? String(a).localeCompare(String(b)) : first > second ? -1 : 1));
}

function seriesOf(points: readonly SpendPoint[], summed: readonly SpendPoint[]): SpendSeries[] {
  const all = ranked(points);
  const cut = all.length + (summed.length === 0 ? 0 : 2) > MAX_SERIES + 1 ? MAX_SERIES : all.length;
  const own = all.slice(0, cut).map(([id, units], rank): SpendSeries => ({
    key: rank < MAX_SERIES ? `s${rank}` : OTHER, ids: [id], isOther: false, count: 1, total: amountOf(units),
  }));
  const rest = all.slice(cut);
  if (rest.length === 0 && summed.length === 0) return own;
  const units = rest.reduce((sum, [, part]) => sum + part, 0n) + summed.reduce((sum, { amount }) => sum + microUnits(amount), 0n);
  const count = rest.length + summed.reduce((most, { others = 0 }) => Math.max(most, others), 0);
  return [...own, { key: OTHER, ids: rest.map(([id]) => id), isOther: true, count, total: amountOf(units) }];
}

/**
 * Exact sums by column and series, ordered by total spend. Up to six series are shown; of more, the top five and a sum. Points of other
 * columns are ignored.
 */
export function spendTable(columns: readonly string[], points: readonly SpendPoint[]): SpendTable {
  const known = new Set(columns);
  const within = points.filter(({ column }) => known.has(column));
  const isSummed = ({ others }: SpendPoint) => others !== undefined;
  const series = seriesOf(within.filter((point) => !isSummed(point)), within.filter(isSummed));
  const keyOf = new Map(series.flatMap(({ key, ids }) => ids.map((id) => [id, key] as const)));
  const units = new Map(columns.map((column) => [column, new Map<string, bigint>()]));
  for (const point of within) {
    const key = isSummed(point) ? OTHER : keyOf.get(point.series);
    const cells = units.get(point.column);
    if (key !== undefined && cells !== undefined) cells.set(key, (cells.get(key) ?? 0n) + microUnits(point.amount));
  }
  const rows = [...units].map(([column, cells]): SpendColumn => ({
    column,
    amounts: Object.fromEntries([...cells].map(([key, amount]) => [key, amountOf(amount)])),
    total: amountOf([...cells.values()].reduce((sum, amount) => sum + amount, 0n)),
  }));
  const total = rows.reduce((sum, row) => sum + microUnits(row.total), 0n);
  return { series, columns: rows, total: amountOf(total), largest: largestOf(rows) };
}

function largestOf(rows: readonly SpendColumn[]): SpendColumn | null {
  const highest = rows.reduce<SpendColumn | null>((best, row) => (best === null || microUnits(row.total) > microUnits(best.total) ? row : best), null);
  return highest === null || microUnits(highest.total) === 0n ? null : highest;
}

const COLORS: Readonly<Record<string, string>> = {
  s0: 'var(--series-1)', s1: 'var(--series-2)', s2: 'var(--series-3)', s3: 'var(--series-4)', s4: 'var(--series-5)', [OTHER]: 'var(--series-other)',
};

/** Color by rank. */
export function seriesColor(key: string): string {
  return COLORS[key] ?? 'var(--series-other)';
}
