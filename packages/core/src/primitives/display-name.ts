/** Characters (UTF-16 units) of a name of an account, a person, a key or a passkey. */
export const DISPLAY_NAME_MAXIMUM = 200;

/** What a name has to be, for messages: "must be …". */
export const DISPLAY_NAME_RULE = `one line of 1 to ${DISPLAY_NAME_MAXIMUM} characters`;

/** Control characters, line separators, and surrogates without their other half, which no database keeps. */
const NO_PART_OF_A_LINE = /[\p{Cc}\p{Zl}\p{Zp}\p{Cs}]/u;

/** Whether a text may name something: one line that is not blank. */
export function isDisplayName(name: string): boolean {
  return name.length <= DISPLAY_NAME_MAXIMUM && name.trim() !== '' && !NO_PART_OF_A_LINE.test(name);
}
