/** Converts a `datetime-local` value; `null` if empty. */
export function instantOf(local: string): string | null {
  return local === '' ? null : new Date(local).toISOString();
}
