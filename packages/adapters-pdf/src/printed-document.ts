/** A document of texts and tables in reading order, which are drawn one below the other. */
export interface PrintedDocument {
  readonly title: string;
  /** `null` if no author is stated. */
  readonly author: string | null;
  /** In Unix milliseconds. */
  readonly createdAt: number;
  /** Text at the bottom of every page, before the number of the page. */
  readonly footer: string;
  readonly blocks: readonly PrintedBlock[];
}

export type PrintedBlock =
  | { readonly kind: 'title' | 'heading' | 'paragraph' | 'note'; readonly text: string }
  | PrintedTable;

export interface PrintedTable {
  readonly kind: 'table';
  readonly columns: readonly PrintedColumn[];
  /** A row has one text per column. */
  readonly rows: readonly (readonly string[])[];
}

export interface PrintedColumn {
  readonly title: string;
  /** Share of the width; the shares of a table add up to 1. */
  readonly share: number;
  readonly align: 'left' | 'right';
}
