import type { Clock, IdGenerator, ResponsesOptions, ResponsesUpstream } from '@tollgate/core';
import { type Dialect, HttpProvider, type ProviderPorts, type UpstreamProvider } from '../http/upstream-provider.js';
import { DEFAULT_SERVER_OPTIONS, UpstreamConnection } from '../http/connection.js';
import { encodeReasoning, encodeResponsesRequest } from './encode-responses-request.js';
import { ResponsesReplyAssembler } from './responses-reply-assembler.js';

export const DEFAULT_RESPONSES_OPTIONS: ResponsesOptions = {
  ...DEFAULT_SERVER_OPTIONS,
  reasoningStyle: 'effort',
  reasoningReplay: 'signed',
  systemTurns: 'in-place',
  // The format has no field for them.
  stopSequenceLimit: 0,
};

/** The responses format. Tool calls that come without an id get one. */
function responsesDialect(options: ResponsesOptions, ids: Pick<IdGenerator, 'responseId'>): Dialect {
  return {
    endpoint: '/responses',
    encodeRequest: (call, reasoning) => encodeResponsesRequest(call, reasoning, options),
    hasReasoningField: (call, reasoning) => encodeReasoning(call, reasoning, options) !== undefined,
    assemblerFor: ({ request }, writer) => new ResponsesReplyAssembler(writer, {
      newToolCallId: () => ids.responseId('call_'),
      localStopSequences: request.stopSequences,
    }),
  };
}

/** Generates with a server that speaks the responses format. */
export function responsesProvider(definition: ResponsesUpstream, { clock, ids, reasoningRefusals }: ProviderPorts): UpstreamProvider {
  const options = { ...DEFAULT_RESPONSES_OPTIONS, ...definition.options };
  return new HttpProvider({ connection: responsesConnection(definition, clock), dialect: responsesDialect(options, ids), reasoningRefusals });
}

/** The connections to such a server. */
export function responsesConnection({ baseUrl, apiKey, options }: ResponsesUpstream, clock: Clock): UpstreamConnection {
  const headers: Record<string, string> = apiKey === null ? {} : { authorization: `Bearer ${apiKey}` };
  return new UpstreamConnection({ baseUrl, headers, options: { ...DEFAULT_RESPONSES_OPTIONS, ...options } }, clock);
}
