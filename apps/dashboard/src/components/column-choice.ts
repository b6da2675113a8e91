/** What decides whether a column is shown. */
export interface PlacedColumn {
  readonly id: string;
  /** Minimum width in pixels. */
  readonly width: number;
  /** If the table is too narrow, columns with higher numbers are left out first. A column without a number is never left out. */
  readonly leaves?: number | undefined;
  /** True for a column that is shown only if the person chooses it. */
  readonly isExtra?: boolean | undefined;
}

const GAP = 10;
const PADDING = 24;

/** Minimum width of a grid track in pixels: 120 for `120px` and for `minmax(120px, 1fr)`. */
export function leastWidth(track: string): number {
  const [, digits = '0'] = /(\d+)px/.exec(track) ?? [];
  return JSON.parse(digits) as number;
}

/** Width in pixels, including the gaps between the columns and the padding of a row. */
export function spaceOf(columns: readonly Pick<PlacedColumn, 'width'>[]): number {
  return columns.reduce((sum, { width }) => sum + width + GAP, PADDING - GAP);
}

function withoutFirstToLeave(columns: readonly PlacedColumn[], width: number): readonly PlacedColumn[] {
  const first = columns.reduce<PlacedColumn | null>((most, column) => ((column.leaves ?? 0) > (most?.leaves ?? 0) ? column : most), null);
  if (first === null || spaceOf(columns) <= width) return columns;
  return withoutFirstToLeave(columns.filter((column) => column !== first), width);
}

/** Ids of the usual columns that fit, in order; of all usual columns while `width` is unknown (`null`). */
export function fittingColumns(columns: readonly PlacedColumn[], width: number | null): readonly string[] {
  const usual = columns.filter(({ isExtra }) => isExtra !== true);
  return (width === null ? usual : withoutFirstToLeave(usual, width)).map(({ id }) => id);
}

/** True if the columns are wider than the table. */
export function isWiderThan(columns: readonly PlacedColumn[], width: number | null): boolean {
  return width !== null && spaceOf(columns) > width;
}

/** The stored choice, without columns that the table does not have; `null` if nothing is stored, or no stored column exists. */
export function readChoice(text: string | null, columns: readonly PlacedColumn[]): readonly string[] | null {
  if (text === null) return null;
  try {
    const stored: unknown = JSON.parse(text);
    if (!Array.isArray(stored)) return null;
    const known = columns.map(({ id }) => id).filter((id) => stored.includes(id));
    return known.length === 0 ? null : known;
  } catch {
    return null;
  }
}
