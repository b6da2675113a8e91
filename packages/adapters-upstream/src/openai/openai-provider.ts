import type { IdGenerator, OpenaiOptions, OpenaiUpstream } from '@tollgate/core';
import { DEFAULT_SERVER_OPTIONS } from '../http/default-options.js';
import { UpstreamConnection } from '../http/connection.js';
import { isRuled } from '../request/parameter-rules.js';
import { type Dialect, HttpProvider, type ProviderPorts, type UpstreamProvider } from '../http/upstream-provider.js';
import type { SocketPorts } from '../http/upstream-sockets.js';
import { ChatReplyAssembler } from './chat-reply-assembler.js';
import { encodeChatRequest, localStopSequences } from './encode-chat-request.js';
import { encodeReasoning } from './encode-reasoning.js';

export const DEFAULT_OPENAI_OPTIONS: OpenaiOptions = {
  ...DEFAULT_SERVER_OPTIONS,
  // The limit of OpenAI, the smallest of all servers that have one.
  toolCallIdLimit: 40,
  outputLimitField: 'max_tokens',
  promptCacheKey: 'omitted',
  reasoningStyle: 'effort',
  reasoningReplay: 'sent',
  systemTurns: 'in-place',
  stopSequenceLimit: 4,
};

function openaiDialect(options: OpenaiOptions, ids: Pick<IdGenerator, 'responseId'>): Dialect {
  return {
    endpoint: '/chat/completions',
    callIdLimit: options.toolCallIdLimit,
    encodeRequest: (call, { reasoning, continuation }) => encodeChatRequest(call, reasoning, continuation === 'sent' ? options : { ...options, reasoningReplay: 'omitted', continuation }),
    hasReasoningField: (call, reasoning) => Object.keys(encodeReasoning(call, reasoning, options)).length > 0,
    assemblerFor: (call, writer) => new ChatReplyAssembler(writer, {
      newToolCallId: () => ids.responseId('call_'),
      localStopSequences: isRuled(call, ['stop']) ? call.request.stopSequences : localStopSequences(call, options),
      modelReasons: call.model.reasoning,
    }),
  };
}

export function openaiProvider(definition: OpenaiUpstream, ports: ProviderPorts): UpstreamProvider {
  const options = { ...DEFAULT_OPENAI_OPTIONS, ...definition.options };
  return new HttpProvider({ connection: openaiConnection(definition, ports), dialect: openaiDialect(options, ports.ids), ports });
}

export function openaiConnection({ baseUrl, apiKey, options }: OpenaiUpstream, ports: SocketPorts): UpstreamConnection {
  const headers: Record<string, string> = apiKey === null ? {} : { authorization: `Bearer ${apiKey}` };
  return new UpstreamConnection({ baseUrl, headers, options: { ...DEFAULT_OPENAI_OPTIONS, ...options } }, ports);
}
