import type { ContextOverflow, ErrorText } from '@tollgate/core';

/** How a format names the prompt: its field, and the verb, noun and pronoun of sentences about it. */
interface PromptWords {
  readonly field: string;
  readonly verb: 'has' | 'have';
  readonly noun: string;
  readonly pronoun: 'it' | 'them';
}

type PromptOverflow = Extract<ContextOverflow, { readonly kind: 'prompt' }>;

const MAXIMUM: Readonly<Record<PromptOverflow['bound'], string>> = {
  model: "This model's maximum context length",
  plan: "Your plan's maximum context length",
  reply: "This model's maximum context length, less the reply,",
};

/**
 * The message of the refusal. Contains "maximum context length is N tokens", which clients of chat and responses look for, except for the bound
 * `reply`.
 */
export function describePromptOverflow(overflow: ContextOverflow, { field, verb, noun, pronoun }: PromptWords, outputField: string): ErrorText {
  if (overflow.kind === 'prompt') {
    const { promptTokens, maximumTokens, bound } = overflow;
    return { param: field, message: `${MAXIMUM[bound]} is ${maximumTokens} tokens, but '${field}' ${verb} ${promptTokens} tokens. Shorten ${pronoun}.` };
  }
  const { promptTokens, outputTokens, windowTokens } = overflow;
  const needs = `the request needs ${promptTokens + outputTokens}: ${promptTokens} in '${field}' and ${outputTokens} in '${outputField}'`;
  return { param: outputField, message: `${MAXIMUM.model} is ${windowTokens} tokens, but ${needs}. Shorten the ${noun} or lower '${outputField}'.` };
}
