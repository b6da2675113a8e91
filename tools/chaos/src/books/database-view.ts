/** As the database shows it, whole numbers in decimals. */
export type Cell = string | null;
export type Row = readonly Cell[];

/** Looks into a gateway's database past everything that is ours, and writes nothing. */
export interface DatabaseView {
  /** What each query finds, all in one and the same state of the database. */
  read(queries: readonly string[]): Promise<readonly (readonly Row[])[]>;
  close(): Promise<void>;
}

/** What the drivers of SQLite and PostgreSQL give for what is stored in these tables. */
export type Stored = string | number | bigint | null;

export function cellOf(value: Stored): Cell {
  return value === null ? null : String(value);
}
