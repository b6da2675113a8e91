import { listLines } from './list-lines.js';

/** A table whose control characters are already escaped. */
interface TextTable {
  readonly headings: readonly string[];
  readonly rows: readonly (readonly string[])[];
  /** Positions of columns that must not be cut, because their cells would lose their meaning. */
  readonly whole: ReadonlySet<number>;
}

interface Column {
  readonly kind: 'figure' | 'whole' | 'id' | 'text';
  /** The heading, then the cells of the rows. */
  readonly cells: readonly string[];
  readonly width: number;
}

const GAP = '  ';
const FIGURE = /^[+-]?\d+(?:\.\d+)?$/;
const EXACT_TIME = /^\d{4}-\d{2}-\d{2}T[\d:.]+Z$/;
const ID = /^[a-z]+_[A-Za-z0-9_-]+$/;
/** Minimum width of a cut cell, including its ellipsis: `SHORT` while only texts are cut, `SHORTEST` when ids are cut too. */
const SHORT = 16;
const SHORTEST = 8;

/**
 * The lines of a table that is at most `most` characters wide: texts are cut first, then ids too, figures and times never. If the table still does
 * not fit, each row becomes a list.
 */
export function tableLines(table: TextTable, most: number | null): readonly string[] {
  const columns: readonly Column[] = table.headings.map((heading, column) => {
    const found = columnOf(heading, table.rows.map((row) => row[column] ?? ''));
    return table.whole.has(column) ? { ...found, kind: 'whole' as const } : found;
  });
  if (most === null || widthOf(columns) <= most) return drawn(columns);
  const cut = shrunk(columns, most, { kinds: ['text'], least: SHORT }) ?? shrunk(columns, most, { kinds: ['text', 'id'], least: SHORTEST });
  if (cut === null) return rowsAsLists(table);
  return [...drawn(cut), `Cut to ${most} columns: --wide shows all.`];
}

function columnOf(heading: string, cells: readonly string[]): Column {
  const filled = cells.filter((cell) => cell !== '');
  const isFigure = filled.length > 0 && filled.every((cell) => FIGURE.test(cell));
  const shown = [heading, ...isFigure ? alignedAtPoint(cells, heading.length) : cells];
  return { kind: isFigure ? 'figure' : kindOf(filled), cells: shown, width: Math.max(...shown.map(({ length }) => length)) };
}

function kindOf(filled: readonly string[]): Column['kind'] {
  if (filled.length === 0) return 'text';
  if (filled.every((cell) => EXACT_TIME.test(cell))) return 'whole';
  return filled.every((cell) => ID.test(cell)) ? 'id' : 'text';
}

/** Pads figures so that their decimal points are in one column. Figures that are narrower than the heading end where it ends. */
function alignedAtPoint(cells: readonly string[], width: number): readonly string[] {
  const decimals = Math.max(...cells.map((cell) => decimalsOf(cell).length));
  const padded = cells.map((cell) => (cell === '' ? '' : `${cell}${' '.repeat(decimals - decimalsOf(cell).length)}`));
  const widest = Math.max(width, ...padded.map(({ length }) => length));
  return padded.map((cell) => cell.padStart(widest));
}

/** The decimal places of a figure, including the point. */
function decimalsOf(figure: string): string {
  const point = figure.indexOf('.');
  return point === -1 ? '' : figure.slice(point);
}

function widthOf(columns: readonly Column[]): number {
  return columns.reduce((sum, { width }) => sum + width, GAP.length * (columns.length - 1));
}

interface Cut {
  readonly kinds: readonly Column['kind'][];
  readonly least: number;
}

/**
 * Reduces the columns of these kinds to the greatest common width with which the table fits, but none below the width of its heading. `null` if that
 * width would be below `least`.
 */
function shrunk(columns: readonly Column[], most: number, { kinds, least }: Cut): readonly Column[] | null {
  for (let greatest = most; greatest >= least; greatest -= 1) {
    const attempt = columns.map((column) => (kinds.includes(column.kind) ? { ...column, width: Math.min(column.width, Math.max(greatest, column.cells[0]?.length ?? 0)) } : column));
    if (widthOf(attempt) <= most) return attempt;
  }
  return null;
}

function drawn(columns: readonly Column[]): readonly string[] {
  const [first = []] = columns.map(({ cells }) => cells);
  return first.map((_, line) => columns.map(({ kind, cells, width }) => {
    const text = cutTo(cells[line] ?? '', width);
    return kind === 'figure' ? text.padStart(width) : text.padEnd(width);
  }).join(GAP).trimEnd());
}

function cutTo(text: string, width: number): string {
  return text.length <= width ? text : `${text.slice(0, width - 1).replace(/[\uD800-\uDBFF]$/, '')}…`;
}

/** A list for each row, without empty cells. */
function rowsAsLists({ headings, rows }: TextTable): readonly string[] {
  return rows.flatMap((row) => [...listLines(headings.flatMap((heading, column) => (row[column] ? [[heading, row[column]] as const] : []))), '']);
}
