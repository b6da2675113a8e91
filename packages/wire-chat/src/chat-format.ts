import type { WireFormat } from '@tollgate/core';
import { ChatStreamEncoder } from './stream-encoder.js';
import { decodeRequest } from './decode-request.js';
import { describeOverflow, encodeError, encodeResponse } from './encode-response.js';

export const chatFormat: WireFormat = {
  name: 'chat',
  responseIdPrefix: 'chatcmpl-',
  keepAliveFrame: ': keep-alive\n\n',
  decodeRequest,
  describeOverflow,
  encodeResponse,
  streamEncoder: (context) => new ChatStreamEncoder(context),
  encodeError,
};
