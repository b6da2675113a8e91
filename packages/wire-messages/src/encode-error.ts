import type { GatewayError, JsonObject, RequestId } from '@tollgate/core';
import { typeOf } from '@tollgate/wire-kit';

/** An error as messages clients read it: public text only. */
export function encodeError(error: GatewayError, requestId: RequestId): JsonObject {
  return {
    type: 'error',
    error: { type: typeOf(error.code), message: error.message, code: error.code, request_id: requestId },
  };
}
