import type { Place } from './place.js';

/**
 * Turns the value under `key` into its canonical form.
 * Throws `GatewayError('invalid_request')` with the value's path as `param` when it cannot.
 */
export type Decoder<T> = (value: unknown, within: Place | null, key: string | number) => T;
