import { describe, expect, it } from '@jest/globals';
import { GatewayError, type RequestId } from '@tollgate/core';
import { checkChatStream } from '@tollgate/testkit';
import { chatFormat } from './chat-format.js';
import { aChatRequest, aContext } from './test-support/builders.js';
import { describeOverflow } from './encode-error.js';

describe('a chat error', () => {
  it('names the field at fault', () => {
    const error = new GatewayError('invalid_request', 'No.', { param: 'messages[2].content' });
    expect(chatFormat.encodeError(error, 'req_1' as RequestId)).toStrictEqual({
      error: { message: 'No.', type: 'invalid_request_error', code: 'invalid_request', param: 'messages[2].content', request_id: 'req_1' },
    });
  });

  it('has no param where no field is at fault, and nothing private', () => {
    const error = new GatewayError('rate_limit_exceeded', 'No.', { retryAfterSeconds: 3, cause: new Error('secret') });
    expect(chatFormat.encodeError(error, 'req_1' as RequestId)).toStrictEqual({
      error: { message: 'No.', type: 'rate_limit_error', code: 'rate_limit_exceeded', request_id: 'req_1' },
    });
  });

  it('ends a stream as one frame', () => {
    const frame = chatFormat.streamEncoder(aContext()).encodeError(new GatewayError('provider_unavailable', 'Gone\n\naway.'));
    expect(frame).toBe('data: {"error":{"message":"Gone\\n\\naway.","type":"overloaded_error","code":"provider_unavailable","request_id":"req_1"}}\n\n');
    expect(checkChatStream(frame).error).toMatchObject({ code: 'provider_unavailable' });
  });
});

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
