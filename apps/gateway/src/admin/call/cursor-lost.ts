import { GatewayError } from '@tollgate/core';

export function cursorLost(reason: string): GatewayError {
  return new GatewayError(
    'cursor_lost', `The feed does not continue from this cursor: ${reason}. Read from the start and compare the balances.`, { param: 'after' },
  );
}
