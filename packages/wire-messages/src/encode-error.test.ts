import { describe, expect, it } from '@jest/globals';
import { GatewayError, type RequestId } from '@tollgate/core';
import { checkMessagesStream } from '@tollgate/testkit';
import { messagesFormat } from './messages-format.js';
import { aContext } from './test-support/builders.js';

describe('a messages error', () => {
  it('says type, code and request, and nothing private', () => {
    const error = new GatewayError('invalid_request', 'No.', { param: 'messages', cause: new Error('secret') });
    expect(messagesFormat.encodeError(error, 'req_1' as RequestId)).toStrictEqual({
      type: 'error',
      error: { type: 'invalid_request_error', message: 'No.', code: 'invalid_request', request_id: 'req_1' },
    });
  });

  it('ends a stream as one event', () => {
    const frame = messagesFormat.streamEncoder(aContext()).encodeError(new GatewayError('provider_unavailable', 'Gone\n\naway.'));
    expect(frame).toBe(
      'event: error\ndata: {"type":"error","error":{"type":"overloaded_error","message":"Gone\\n\\naway.","code":"provider_unavailable","request_id":"req_1"}}\n\n',
    );
    expect(checkMessagesStream(frame).error).toMatchObject({ code: 'provider_unavailable' });
  });
});

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
