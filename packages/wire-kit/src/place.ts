/** Where a value stands in a request. Built only for containers, so that a sound request costs no path text. */
export interface Place {
  readonly within: Place | null;
  readonly key: string | number;
}

/** The path as clients write it: `messages[2].content[0].text`. */
export function pathOf(within: Place | null, key: string | number): string {
  const keys: (string | number)[] = [key];
  for (let place = within; place !== null; place = place.within) keys.push(place.key);
  return keys.toReversed().map((part, depth) => (typeof part === 'number' ? `[${part}]` : depth === 0 ? part : `.${part}`)).join('');
}
