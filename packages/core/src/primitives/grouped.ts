/** Separates groups of three digits of the whole part by commas, for English texts: `20108.5` becomes `20,108.5`. */
export function grouped(value: { toString(): string }): string {
  return value.toString().replace(/^\d+/, (whole) => whole.replaceAll(/\B(?=(?:\d{3})+$)/g, ','));
}
