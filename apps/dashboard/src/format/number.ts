/** The number that a header or a field names, such as a count of seconds or tokens; never an amount of money. */
export function numberOf(text: string): number {
  return Number(text);
}
