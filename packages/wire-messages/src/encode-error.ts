import type { ContextOverflow, ErrorText, GatewayError, JsonObject, RequestId } from '@tollgate/core';
import { typeOf } from '@tollgate/wire-kit';

/** An error as messages clients read it: public text only. */
export function encodeError(error: GatewayError, requestId: RequestId): JsonObject {
  return {
    type: 'error',
    error: { type: typeOf(error.code), message: error.message, code: error.code, request_id: requestId },
  };
}

/** The two wordings that coding agents read and recover from by themselves: not a character may change. */
export function describeOverflow(overflow: ContextOverflow, outputField: string): ErrorText {
  if (overflow.kind === 'prompt') {
    return { param: 'messages', message: `prompt is too long: ${overflow.promptTokens} tokens > ${overflow.maximumTokens} maximum` };
  }
  const { promptTokens, outputTokens, windowTokens } = overflow;
  return { param: outputField, message: `input length and \`max_tokens\` exceed context limit: ${promptTokens} + ${outputTokens} > ${windowTokens}` };
}
