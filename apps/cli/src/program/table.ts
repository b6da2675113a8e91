import { printable } from '@tollgate/core';

type Cell = string | number | null;

/** Two spaces between columns; numbers to the right; nothing for `null`. */
export function table(headings: readonly string[], rows: readonly (readonly Cell[])[]): readonly string[] {
  const columns = headings.map((heading, column) => {
    const cells = rows.map((row) => row[column] ?? null);
    const width = Math.max(heading.length, ...cells.map((cell) => textOf(cell).length));
    return { width, toTheRight: cells.some((cell) => typeof cell === 'number') };
  });
  return [headings, ...rows].map((row) => columns.map(({ width, toTheRight }, column) => {
    const text = textOf(row[column] ?? null);
    return toTheRight ? text.padStart(width) : text.padEnd(width);
  }).join('  ').trimEnd());
}

/** One `name: value` per line, values under one another. */
export function list(entries: Readonly<Record<string, Cell>>): readonly string[] {
  const width = Math.max(...Object.keys(entries).map(({ length }) => length)) + 1;
  return Object.entries(entries).map(([name, value]) => `${`${name}:`.padEnd(width)} ${textOf(value)}`.trimEnd());
}

/** Names and users come from clients, and a terminal obeys some characters instead of showing them. */
function textOf(cell: Cell): string {
  return cell === null ? '' : printable(String(cell));
}
