import type { ContextOverflow, ErrorText, GatewayError, JsonObject, RequestId } from '@tollgate/core';
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

type PromptOverflow = Extract<ContextOverflow, { readonly kind: 'prompt' }>;

const MAXIMUM: Readonly<Record<PromptOverflow['bound'], string>> = {
  model: "This model's maximum context length",
  plan: "Your plan's maximum context length",
  reply: "This model's maximum context length, less the reply,",
};

/** Contains "maximum context length is N tokens", which chat clients look for. */
export function describeOverflow(overflow: ContextOverflow, outputField: string): ErrorText {
  if (overflow.kind === 'prompt') {
    const { promptTokens, maximumTokens, bound } = overflow;
    return { param: 'messages', message: `${MAXIMUM[bound]} is ${maximumTokens} tokens, but 'messages' have ${promptTokens} tokens. Shorten them.` };
  }
  const { promptTokens, outputTokens, windowTokens } = overflow;
  const needs = `the request needs ${promptTokens + outputTokens}: ${promptTokens} in 'messages' and ${outputTokens} in '${outputField}'`;
  return { param: outputField, message: `${MAXIMUM.model} is ${windowTokens} tokens, but ${needs}. Shorten the messages or lower '${outputField}'.` };
}
