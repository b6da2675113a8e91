const FOREIGN_CHARACTER = /[^\w-]/g;

/** The id of a call in the characters the format allows. Other vendors' ids have others; each id always becomes the same one. */
export function encodeToolCallId(id: string): string {
  return id.replace(FOREIGN_CHARACTER, (character) => `_${character.charCodeAt(0).toString(16)}`);
}
