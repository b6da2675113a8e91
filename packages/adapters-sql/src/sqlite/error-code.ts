/** The code that SQLite and the operating system put on their errors; `null` for anything else that was thrown. */
export function errorCodeOf(thrown: unknown): string | null {
  if (typeof thrown !== 'object' || thrown === null || !('code' in thrown)) return null;
  return typeof thrown.code === 'string' ? thrown.code : null;
}
