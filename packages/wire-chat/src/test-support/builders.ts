import { type EncodeContext, instant, type JsonObject, type RequestId } from '@tollgate/core';

/** The context of reply `chatcmpl-1` to request `req_1`, made at Unix time 1,700,000,000. */
export function aContext(differences: Partial<EncodeContext> = {}): EncodeContext {
  return {
    responseId: 'chatcmpl-1',
    createdAt: instant(1_700_000_000_999),
    requestId: 'req_1' as RequestId,
    includeUsage: true,
    ...differences,
  };
}

/** The least a chat request must say, with differences. */
export function aChatRequest(differences: JsonObject = {}): JsonObject {
  return { model: 'test-model', messages: [{ role: 'user', content: 'Hi' }], ...differences };
}
