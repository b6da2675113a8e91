import { describe, expect, it } from '@jest/globals';
import { GatewayError, type RequestId } from '@tollgate/core';
import { checkMessagesStream } from '@tollgate/testkit';
import { messagesFormat } from './messages-format.js';
import { aContext } from './test-support/a-context.js';

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
