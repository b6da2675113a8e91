/** Longer strings are emptied. */
export const LONGEST_KEPT_STRING = 16_384;

/** Stands for the content of a long string whose end has not arrived, so that it is emptied when it has. */
const FILLER = 'x'.repeat(LONGEST_KEPT_STRING + 1);

/** Empties the long strings of a JSON text, which may be only the beginning of one. Takes linear time. */
export function shortenStrings(json: string): string {
  const kept: string[] = [];
  let from = 0;
  for (let open = json.indexOf('"'); open >= 0;) {
    const close = endOfString(json, open + 1);
    const end = close < 0 ? startOfEnd(json) : close;
    if (end - open - 1 > LONGEST_KEPT_STRING) {
      kept.push(json.slice(from, open + 1), close < 0 ? FILLER : '');
      from = end;
    }
    open = close < 0 ? -1 : json.indexOf('"', close + 1);
  }
  kept.push(json.slice(from));
  return kept.join('');
}

/** Position at which a string is cut whose end has not arrived: before a backslash whose escape has not arrived either. */
function startOfEnd(json: string): number {
  return json.length - (backslashesBefore(json, json.length) % 2);
}

/** Position of the quote that ends a string; -1 if it is missing. */
function endOfString(json: string, from: number): number {
  let at = json.indexOf('"', from);
  while (at >= 0 && backslashesBefore(json, at) % 2 === 1) at = json.indexOf('"', at + 1);
  return at;
}

function backslashesBefore(json: string, end: number): number {
  let first = end;
  while (json[first - 1] === '\\') first -= 1;
  return end - first;
}
