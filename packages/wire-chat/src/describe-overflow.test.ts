import { describe, expect, it } from '@jest/globals';
import { chatFormat } from './chat-format.js';
import { describeOverflow } from './describe-overflow.js';
import { aChatRequest } from './test-support/a-chat-request.js';

describe('a context that is exceeded, in the chat format', () => {
  it('by the prompt names the messages, and whose maximum it is', () => {
    const overflow = { kind: 'prompt', promptTokens: 11, maximumTokens: 10, bound: 'model' } as const;
    expect(describeOverflow(overflow, 'max_tokens')).toEqual({
      param: 'messages', message: "This model's maximum context length is 10 tokens, but 'messages' have 11 tokens. Shorten them.",
    });
    expect(describeOverflow({ ...overflow, bound: 'plan' }, 'max_tokens').message).toBe(
      "Your plan's maximum context length is 10 tokens, but 'messages' have 11 tokens. Shorten them.",
    );
    expect(describeOverflow({ ...overflow, bound: 'reply' }, 'max_tokens').message).toBe(
      "This model's maximum context length, less the reply, is 10 tokens, but 'messages' have 11 tokens. Shorten them.",
    );
  });

  it.each(['max_tokens', 'max_completion_tokens'])('by the output names %s, as the client does', (field) => {
    expect(describeOverflow({ kind: 'output', promptTokens: 8, outputTokens: 3, windowTokens: 10 }, field)).toEqual({
      param: field,
      message: `This model's maximum context length is 10 tokens, but the request needs 11: 8 in 'messages' and 3 in '${field}'. Shorten the messages or lower '${field}'.`,
    });
  });

  it.each([
    [{}, 'max_tokens'],
    [{ max_tokens: 5 }, 'max_tokens'],
    [{ max_completion_tokens: 5 }, 'max_completion_tokens'],
    [{ max_tokens: 5, max_completion_tokens: null }, 'max_tokens'],
    [{ max_tokens: 5, max_completion_tokens: 6 }, 'max_completion_tokens'],
  ])('is about the field that counts in %j', (fields, outputField) => {
    expect(chatFormat.decodeRequest(aChatRequest(fields)).outputField).toBe(outputField);
  });
});
