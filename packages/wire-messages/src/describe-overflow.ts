import type { ContextOverflow, ErrorText } from '@tollgate/core';

/** The two wordings that coding agents read and recover from by themselves: not a character may change. */
export function describeOverflow(overflow: ContextOverflow, outputField: string): ErrorText {
  if (overflow.kind === 'prompt') {
    return { param: 'messages', message: `prompt is too long: ${overflow.promptTokens} tokens > ${overflow.maximumTokens} maximum` };
  }
  const { promptTokens, outputTokens, windowTokens } = overflow;
  return { param: outputField, message: `input length and \`max_tokens\` exceed context limit: ${promptTokens} + ${outputTokens} > ${windowTokens}` };
}
