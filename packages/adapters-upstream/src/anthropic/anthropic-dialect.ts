import type { IdGenerator } from '@tollgate/core';
import type { Dialect } from '../http/dialect.js';
import type { AnthropicOptions } from '../upstream-definition.js';
import { encodeMessagesRequest } from './encode-messages-request.js';
import { saysThinking } from './encode-thinking.js';
import { divideStopSequences } from './divide-stop-sequences.js';
import { MessagesReplyAssembler } from './messages-reply-assembler.js';

/** The messages format. Tool calls that come without an id get one. */
export function anthropicDialect(options: AnthropicOptions, ids: Pick<IdGenerator, 'responseId'>): Dialect {
  return {
    endpoint: '/messages',
    encodeRequest: (call, reasoning) => encodeMessagesRequest(call, reasoning, options),
    hasReasoningField: (call, reasoning) => saysThinking(call, reasoning, options.reasoningStyle),
    assemblerFor: ({ request }, writer) => new MessagesReplyAssembler(writer, {
      newToolCallId: () => ids.responseId('toolu_'),
      localStopSequences: divideStopSequences(request.stopSequences, options.stopSequenceLimit).local,
    }),
  };
}
