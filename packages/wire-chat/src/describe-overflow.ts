import type { ContextOverflow, ErrorText } from '@tollgate/core';

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
