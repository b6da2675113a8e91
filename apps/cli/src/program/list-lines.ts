/** One `name: value` per line, with the values aligned. */
export function listLines(entries: readonly (readonly [name: string, value: string])[]): readonly string[] {
  const width = Math.max(...entries.map(([name]) => name.length)) + 1;
  return entries.map(([name, value]) => `${`${name}:`.padEnd(width)} ${value}`.trimEnd());
}
