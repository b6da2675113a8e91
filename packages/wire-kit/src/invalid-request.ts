import { GatewayError } from '@tollgate/core';
import { pathOf, type Place } from './place.js';

/** The refusal of one field: `problem` completes the sentence that begins with the field's path ("must be a string"). */
export function invalidField(within: Place | null, key: string | number, problem: string): GatewayError {
  const param = pathOf(within, key);
  return new GatewayError('invalid_request', `'${param}' ${problem}.`, { param });
}
