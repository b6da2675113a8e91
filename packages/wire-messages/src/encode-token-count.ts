import type { JsonObject, TokenCount } from '@tollgate/core';

/** The answer to a request to count tokens. */
export function encodeTokenCount(inputTokens: TokenCount): JsonObject {
  return { input_tokens: inputTokens };
}
