/** What a call without arguments passes: clients parse the text, and an empty text is no JSON. */
export const EMPTY_ARGUMENTS = '{}';

const SOMETHING_BESIDES_SPACE = /\S/;

export function isBlank(text: string): boolean {
  return !SOMETHING_BESIDES_SPACE.test(text);
}
