/** Characters of a text, where one outside the basic plane counts once although it takes two code units. */
export function characterCount(text: string): number {
  let count = text.length;
  for (let at = 0; at + 1 < text.length; at += 1) {
    if (isLead(text.charCodeAt(at)) && isTrail(text.charCodeAt(at + 1))) count -= 1;
  }
  return count;
}

/** Whether a text is over its limit; a text within it in code units, as nearly all are, is never read. */
export function hasMoreCharactersThan(text: string, limit: number): boolean {
  return text.length > limit && characterCount(text) > limit;
}

function isLead(unit: number): boolean {
  return unit >= 0xd800 && unit <= 0xdbff;
}

function isTrail(unit: number): boolean {
  return unit >= 0xdc00 && unit <= 0xdfff;
}
