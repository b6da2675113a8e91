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
};

/** The message of the refusal. Contains "maximum context length is N tokens", which clients of chat and responses look for. */
export function describePromptOverflow(overflow: ContextOverflow, { field, verb, noun, pronoun }: PromptWords, outputField: string): ErrorText {
  if (overflow.kind === 'prompt') {
    const { promptTokens, maximumTokens, bound } = overflow;
    return { param: field, message: `${MAXIMUM[bound]} is ${maximumTokens} tokens, but '${field}' ${verb} ${promptTokens} tokens. Shorten ${pronoun}.` };
  }
  const { kind, promptTokens, outputTokens, windowTokens } = overflow;
  const needs = `${MAXIMUM.model} is ${windowTokens} tokens, but the request needs ${promptTokens + outputTokens}: ${promptTokens} in '${field}' and ${outputTokens}`;
  if (kind === 'output') return { param: outputField, message: `${needs} in '${outputField}'. Shorten the ${noun} or lower '${outputField}'.` };
  return { param: field, message: `${needs} for the reply. Shorten the ${noun} or request a shorter reply with '${outputField}'.` };
}
