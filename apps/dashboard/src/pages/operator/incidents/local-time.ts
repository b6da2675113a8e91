/** The instant of a date and time as a `datetime-local` field has it, in the viewer's zone; `null` for an empty one. */
export function instantOf(local: string): string | null {
  return local === '' ? null : new Date(local).toISOString();
}
