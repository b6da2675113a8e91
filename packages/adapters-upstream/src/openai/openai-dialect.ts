import type { IdGenerator } from '@tollgate/core';
import type { Dialect } from '../http/dialect.js';
import type { OpenaiOptions } from '../upstream-definition.js';
import { ChatReplyAssembler } from './chat-reply-assembler.js';
import { encodeChatRequest, localStopSequences } from './encode-chat-request.js';
import { encodeReasoning } from './encode-reasoning.js';

/** Chat completions. Tool calls that come without an id get one. */
export function openaiDialect(options: OpenaiOptions, ids: Pick<IdGenerator, 'responseId'>): Dialect {
  return {
    endpoint: '/chat/completions',
    encodeRequest: (call, reasoning) => encodeChatRequest(call, reasoning, options),
    hasReasoningField: (call, reasoning) => Object.keys(encodeReasoning(call, reasoning, options)).length > 0,
    assemblerFor: (call, writer) => new ChatReplyAssembler(writer, {
      newToolCallId: () => ids.responseId('call_'),
      localStopSequences: localStopSequences(call, options),
    }),
  };
}
