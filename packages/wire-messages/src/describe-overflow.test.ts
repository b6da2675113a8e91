import { describe, expect, it } from '@jest/globals';
import { messagesFormat } from './messages-format.js';

describe('a context that is exceeded, in the messages format', () => {
  it.each(['model', 'plan'] as const)('by the prompt is told in the words from which coding agents recover, whichever maximum it is: %s', (bound) => {
    expect(messagesFormat.describeOverflow({ kind: 'prompt', promptTokens: 11, maximumTokens: 10, bound }, 'max_tokens')).toEqual({
      param: 'messages', message: 'prompt is too long: 11 tokens > 10 maximum',
    });
  });

  it('by the output is told in the words from which coding agents recover', () => {
    expect(messagesFormat.describeOverflow({ kind: 'output', promptTokens: 8, outputTokens: 3, windowTokens: 10 }, 'max_tokens')).toEqual({
      param: 'max_tokens', message: 'input length and `max_tokens` exceed context limit: 8 + 3 > 10',
    });
  });
});
