/** Reads the value of an option. Throws with the option's name unless the value is a whole number up to `most`. */
export function wholeNumber(option: string, text: string, most: number): number {
  if (!/^\d{1,10}$/.test(text) || Number(text) > most) throw new Error(`${option} must be a whole number up to ${most}, not ${text}`);
  return Number(text);
}
