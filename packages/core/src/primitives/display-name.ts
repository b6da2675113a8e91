/** Maximum length of names, such as those of accounts, keys and machines, in UTF-16 code units. */
export const MAX_DISPLAY_NAME = 200;

/** Continues "must be". */
export const DISPLAY_NAME_RULE = `one line of 1 to ${MAX_DISPLAY_NAME} characters`;

/** Control characters, line separators and lone surrogates. */
const NO_PART_OF_A_LINE = /[\p{Cc}\p{Zl}\p{Zp}\p{Cs}]/u;

/** True for one line that is not blank and has at most `MAX_DISPLAY_NAME` characters. */
export function isDisplayName(name: string): boolean {
  return name.length <= MAX_DISPLAY_NAME && name.trim() !== '' && !NO_PART_OF_A_LINE.test(name);
}
