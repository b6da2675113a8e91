/** Parses a count. Never use it for amounts of money. */
export function numberOf(text: string): number {
  return Number(text);
}
