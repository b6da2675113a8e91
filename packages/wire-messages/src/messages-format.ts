import type { TokenCountFormat, WireFormat } from '@tollgate/core';
import { sseFrame } from '@tollgate/wire-kit';
import { decodeRequest, decodeTokenCount } from './decode-request.js';
import { describeOverflow, encodeError, encodeResponse, encodeTokenCount } from './encode-response.js';
import { MessagesStreamEncoder } from './stream-encoder.js';

export const messagesFormat: WireFormat & TokenCountFormat = {
  name: 'messages',
  responseIdPrefix: 'msg_',
  keepAliveFrame: sseFrame('ping', '{"type":"ping"}'),
  decodeRequest,
  describeOverflow,
  encodeResponse,
  streamEncoder: (context) => new MessagesStreamEncoder(context),
  encodeError,
  decodeTokenCount,
  encodeTokenCount,
};
