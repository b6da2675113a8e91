import { describe, expect, it } from '@jest/globals';
import { GatewayError, type RequestId } from '@tollgate/core';
import { checkChatStream } from '@tollgate/testkit';
import { chatFormat } from './chat-format.js';
import { aContext } from './test-support/a-context.js';

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
