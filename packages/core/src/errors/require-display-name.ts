import { DISPLAY_NAME_RULE, isDisplayName } from '../primitives/display-name.js';
import { GatewayError } from './gateway-error.js';

/** Accepts `undefined` and `null` as no name; throws `invalid_request`. */
export function requireDisplayName(name: string | null | undefined): void {
  if (name === null || name === undefined || isDisplayName(name)) return;
  throw new GatewayError('invalid_request', `name: must be ${DISPLAY_NAME_RULE}.`, { param: 'name' });
}
