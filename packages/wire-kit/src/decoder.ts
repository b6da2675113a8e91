import { GatewayError } from '@tollgate/core';

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

/**
 * Turns the value under `key` into its canonical form.
 * Throws `GatewayError('invalid_request')` with the value's path as `param` when it cannot.
 */
export type Decoder<T> = (value: unknown, within: Place | null, key: string | number) => T;

/** The refusal of one field: `problem` completes the sentence that begins with the field's path ("must be a string"). */
export function invalidField(within: Place | null, key: string | number, problem: string): GatewayError {
  const param = pathOf(within, key);
  return new GatewayError('invalid_request', `'${param}' ${problem}.`, { param });
}
