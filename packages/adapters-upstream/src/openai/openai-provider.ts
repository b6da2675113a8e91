import type { Clock, IdGenerator, OpenaiOptions, OpenaiUpstream } from '@tollgate/core';
import { type Dialect, HttpProvider } from '../http/http-provider.js';
import { ChatReplyAssembler } from './chat-reply-assembler.js';
import { encodeChatRequest, encodeReasoning, localStopSequences } from './encode-chat-request.js';
import { DEFAULT_SERVER_OPTIONS, UpstreamConnection } from '../http/connection.js';
import type { ProviderPorts, UpstreamProvider } from '../upstream/upstream-provider.js';

export const DEFAULT_OPENAI_OPTIONS: OpenaiOptions = {
  ...DEFAULT_SERVER_OPTIONS,
  outputLimitField: 'max_tokens',
  reasoningStyle: 'effort',
  reasoningReplay: 'sent',
  systemTurns: 'in-place',
  stopSequenceLimit: 4,
};

/** Chat completions. Tool calls that come without an id get one. */
function openaiDialect(options: OpenaiOptions, ids: Pick<IdGenerator, 'responseId'>): Dialect {
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

/** Generates with a server that speaks chat completions. */
export function openaiProvider(definition: OpenaiUpstream, { clock, ids, reasoningRefusals }: ProviderPorts): UpstreamProvider {
  const options = { ...DEFAULT_OPENAI_OPTIONS, ...definition.options };
  return new HttpProvider({ connection: openaiConnection(definition, clock), dialect: openaiDialect(options, ids), reasoningRefusals });
}

/** The connections to such a server. */
export function openaiConnection({ baseUrl, apiKey, options }: OpenaiUpstream, clock: Clock): UpstreamConnection {
  const headers: Record<string, string> = apiKey === null ? {} : { authorization: `Bearer ${apiKey}` };
  return new UpstreamConnection({ baseUrl, headers, options: { ...DEFAULT_OPENAI_OPTIONS, ...options } }, clock);
}
