import type { GatewayError, JsonObject, RequestId } from '@tollgate/core';
import { typeOf } from '@tollgate/wire-kit';

/** An error as chat clients read it: public text only, and `param` only where a field is at fault. */
export function encodeError(error: GatewayError, requestId: RequestId): JsonObject {
  return {
    error: {
      message: error.message,
      type: typeOf(error.code),
      code: error.code,
      ...(error.param === null ? {} : { param: error.param }),
      request_id: requestId,
    },
  };
}
