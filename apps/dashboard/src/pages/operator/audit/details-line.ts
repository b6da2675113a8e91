interface Described {
  readonly details: Readonly<Record<string, unknown>>;
  readonly texts: Readonly<Record<string, string>>;
}

/** Times in details are milliseconds; they are shown as RFC 3339. */
function valueOf(name: string, value: unknown): string {
  if (typeof value === 'number' && name.endsWith('At')) return new Date(value).toISOString();
  return typeof value === 'string' ? value : JSON.stringify(value);
}

/** Texts first, then details; empty details are omitted. */
export function detailsOf({ details, texts }: Described): readonly (readonly [name: string, value: string])[] {
  const told = Object.entries(details).filter(([, value]) => value !== null && value !== undefined);
  return [...Object.entries(texts), ...told.map(([name, value]) => [name, valueOf(name, value)] as const)];
}

export function detailsLine(entry: Described): string {
  return detailsOf(entry).map(([name, value]) => `${name}: ${value}`).join(' · ');
}
