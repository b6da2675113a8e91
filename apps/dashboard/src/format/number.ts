/** For counts, never for amounts of money. */
export function numberOf(text: string): number {
  return Number(text);
}
