/** Converts a `datetime-local` value to RFC 3339 in UTC; `null` if empty. */
export function instantOf(local: string): string | null {
  return local === '' ? null : new Date(local).toISOString();
}
