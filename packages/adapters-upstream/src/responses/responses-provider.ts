import type { IdGenerator, ResponsesOptions, ResponsesUpstream } from '@tollgate/core';
import { DEFAULT_SERVER_OPTIONS } from '../http/default-options.js';
import { UpstreamConnection } from '../http/connection.js';
import { type Dialect, HttpProvider, type ProviderPorts, type UpstreamProvider } from '../http/upstream-provider.js';
import type { SocketPorts } from '../http/upstream-sockets.js';
import { encodeReasoning, encodeResponsesRequest } from './encode-responses-request.js';
import { ResponsesReplyAssembler } from './responses-reply-assembler.js';

export const DEFAULT_RESPONSES_OPTIONS: ResponsesOptions = {
  ...DEFAULT_SERVER_OPTIONS,
  toolCallIdLimit: 64,
  reasoningStyle: 'effort',
  promptCacheKey: 'omitted',
  reasoningReplay: 'signed',
  systemTurns: 'in-place',
  // The responses format has no stop sequences; the gateway enforces all of them.
  stopSequenceLimit: 0,
};

function responsesDialect(options: ResponsesOptions, ids: Pick<IdGenerator, 'responseId'>): Dialect {
  return {
    endpoint: '/responses',
    callIdLimit: options.toolCallIdLimit,
    encodeRequest: (call, { reasoning, continuation }) => encodeResponsesRequest(call, reasoning, continuation === 'sent' ? options : { ...options, reasoningReplay: 'omitted' }),
    hasReasoningField: (call, reasoning) => encodeReasoning(call, reasoning, options) !== undefined,
    assemblerFor: ({ request, model }, writer) => new ResponsesReplyAssembler(writer, {
      newToolCallId: () => ids.responseId('call_'),
      localStopSequences: request.stopSequences,
      modelReasons: model.reasoning,
    }),
  };
}

export function responsesProvider(definition: ResponsesUpstream, ports: ProviderPorts): UpstreamProvider {
  const options = { ...DEFAULT_RESPONSES_OPTIONS, ...definition.options };
  return new HttpProvider({ connection: responsesConnection(definition, ports), dialect: responsesDialect(options, ports.ids), ports });
}

export function responsesConnection({ baseUrl, apiKey, options }: ResponsesUpstream, ports: SocketPorts): UpstreamConnection {
  const headers: Record<string, string> = apiKey === null ? {} : { authorization: `Bearer ${apiKey}` };
  return new UpstreamConnection({ baseUrl, headers, options: { ...DEFAULT_RESPONSES_OPTIONS, ...options } }, ports);
}
