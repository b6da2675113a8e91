import { amountOf, microUnits } from '../../format/amount';

/** Service tokens that one series was charged in one column: a day, a week or a month. */
export interface SpendPoint {
  readonly column: string;
  /** Of what: a model, a key; `null` where it has no name. */
  readonly series: string | null;
  readonly amount: string;
  /** How many series the point stands for, where the gateway has summed those that it does not tell apart. */
  readonly others?: number;
}

/** What is drawn and read as one: a series by itself, or all beyond the fifth together. */
export interface SpendSeries {
  /** Names the series in a chart: `s0` is the one of the highest spend. */
  readonly key: string;
  /** The one that it is; of others, those that are known. */
  readonly ids: readonly (string | null)[];
  readonly isOther: boolean;
  /** How many it stands for. */
  readonly count: number;
  readonly total: string;
}

export interface SpendColumn {
  readonly column: string;
  /** Exact amounts by the key of their series; those of zero are left out. */
  readonly amounts: Readonly<Record<string, string>>;
  readonly total: string;
}

export interface SpendTable {
  readonly series: readonly SpendSeries[];
  readonly columns: readonly SpendColumn[];
  readonly total: string;
  /** Of the first highest column; `null` where nothing was spent. */
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
 * Sums points by column and series, exactly. Series are ordered by what they spent in the whole period; at most six are told apart, and
 * of more the five highest, so that one is never hidden behind the word "other". Columns are those given, in their order; points of others are left out.
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

/** The colour of a series goes by its rank in the period. */
export function seriesColor(key: string): string {
  return COLORS[key] ?? 'var(--series-other)';
}
