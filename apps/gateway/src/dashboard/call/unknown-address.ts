import { GatewayError } from '@tollgate/core';

export function unknownAddress(): GatewayError {
  return new GatewayError('not_found', 'There is nothing at this address.');
}
