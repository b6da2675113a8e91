import { type EncodeContext, instant, type RequestId } from '@tollgate/core';

/** The context of reply `msg_1` to request `req_1`, made at Unix time 1,700,000,000. */
export function aContext(differences: Partial<EncodeContext> = {}): EncodeContext {
  return {
    responseId: 'msg_1',
    createdAt: instant(1_700_000_000_999),
    requestId: 'req_1' as RequestId,
    includeUsage: true,
    ...differences,
  };
}
