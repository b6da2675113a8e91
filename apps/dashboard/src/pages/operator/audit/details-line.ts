interface Described {
  readonly details: Readonly<Record<string, unknown>>;
  readonly texts: Readonly<Record<string, string>>;
}

/** Instants are milliseconds in details, and are shown as RFC 3339. */
function valueOf(name: string, value: unknown): string {
  if (typeof value === 'number' && name.endsWith('At')) return new Date(value).toISOString();
  return typeof value === 'string' ? value : JSON.stringify(value);
}

/** What an entry says beside who and what, as names with their values: texts first, then details that have a value. */
export function detailsOf({ details, texts }: Described): readonly (readonly [name: string, value: string])[] {
  const told = Object.entries(details).filter(([, value]) => value !== null && value !== undefined);
  return [...Object.entries(texts), ...told.map(([name, value]) => [name, valueOf(name, value)] as const)];
}

/** The same in a line. */
export function detailsLine(entry: Described): string {
  return detailsOf(entry).map(([name, value]) => `${name}: ${value}`).join(' · ');
}
