import { createColumnHelper, metaHelper, tableFeatures, type ColumnDef } from '@tanstack/react-table';

interface ColumnLook {
  /** A grid track: `120px`, `minmax(120px, 1fr)`. */
  readonly track: string;
  /** True to align the column right. */
  readonly numeric?: boolean;
  /** If the table is too narrow, columns with higher numbers are left out first. A column without a number is never left out. */
  readonly leaves?: number;
  /** True for a column that is shown only if the person chooses it. */
  readonly isExtra?: boolean;
}

export const longFeatures = tableFeatures({ columnMeta: metaHelper<ColumnLook>() });
export type LongFeatures = typeof longFeatures;
export type LongColumn<Row extends object> = ColumnDef<LongFeatures, Row>;

/** Helper to define columns, for example `columns([helper.display({ id, header, meta: { track }, cell })])`. */
export function longColumns<Row extends object>() {
  return createColumnHelper<LongFeatures, Row>();
}
