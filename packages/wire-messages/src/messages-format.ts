import type { TokenCountFormat, WireFormat } from '@tollgate/core';
import { sseFrame } from '@tollgate/wire-kit';
import { decodeRequest, decodeTokenCount } from './decode-request.js';
import { describeOverflow } from './describe-overflow.js';
import { encodeError } from './encode-error.js';
import { encodeResponse } from './encode-response.js';
import { encodeTokenCount } from './encode-token-count.js';
import { MessagesStreamEncoder } from './messages-stream-encoder.js';

/** The messages format, counting tokens included. Its keep-alive is the format's own `ping`. */
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
