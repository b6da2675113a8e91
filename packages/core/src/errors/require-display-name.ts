import { DISPLAY_NAME_RULE, isDisplayName, MAX_DISPLAY_NAME } from '../primitives/display-name.js';
import { refuseField } from './field-fault.js';
import type { GatewayError } from './gateway-error.js';

/** Throws `invalid_request` if the name is invalid; accepts `undefined` and `null`, which stand for no name. */
export function requireDisplayName(name: string | null | undefined): void {
  if (name === null || name === undefined || isDisplayName(name)) return;
  throw refuseName();
}

export function refuseName(): GatewayError {
  return refuseField('name', `must be ${DISPLAY_NAME_RULE}`, { code: 'not_a_name', maximum: MAX_DISPLAY_NAME });
}
