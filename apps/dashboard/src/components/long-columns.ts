import { createColumnHelper, metaHelper, tableFeatures, type ColumnDef } from '@tanstack/react-table';

interface ColumnLook {
  /** The width, as a track of a grid: `120px`, `minmax(120px, 1fr)`. */
  readonly track: string;
  /** Figures stand at the right. */
  readonly numeric?: boolean;
}

export const longFeatures = tableFeatures({ columnMeta: metaHelper<ColumnLook>() });
export type LongFeatures = typeof longFeatures;
/** A column of a long table. */
export type LongColumn<Row extends object> = ColumnDef<LongFeatures, Row>;

/** Makes the columns of a long table: `columns([helper.display({ id, header, meta: { track }, cell })])`. */
export function longColumns<Row extends object>() {
  return createColumnHelper<LongFeatures, Row>();
}
