import type { AnthropicOptions, AnthropicUpstream, Clock, IdGenerator } from '@tollgate/core';
import { type Dialect, HttpProvider } from '../http/http-provider.js';
import { divideStopSequences, encodeMessagesRequest, saysThinking } from './encode-messages-request.js';
import { MessagesReplyAssembler } from './messages-reply-assembler.js';
import { DEFAULT_SERVER_OPTIONS, UpstreamConnection, versionedUrl } from '../http/connection.js';
import type { ProviderPorts, UpstreamProvider } from '../upstream/upstream-provider.js';

export const DEFAULT_ANTHROPIC_OPTIONS: AnthropicOptions = {
  ...DEFAULT_SERVER_OPTIONS,
  authentication: 'api-key',
  reasoningStyle: 'budget',
  reasoningReplay: 'signed',
  systemTurns: 'as-user',
  stopSequenceLimit: 16,
};

/** The messages format. Tool calls that come without an id get one. */
function anthropicDialect(options: AnthropicOptions, ids: Pick<IdGenerator, 'responseId'>): Dialect {
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

/** The only version of the format there is. */
const FORMAT_VERSION = '2023-06-01';

/** Generates with a server that speaks the messages format. */
export function anthropicProvider(definition: AnthropicUpstream, { clock, ids, reasoningRefusals }: ProviderPorts): UpstreamProvider {
  const dialect = anthropicDialect(optionsOf(definition), ids);
  return new HttpProvider({ connection: anthropicConnection(definition, clock), dialect, reasoningRefusals });
}

/** The connections to such a server. */
export function anthropicConnection(definition: AnthropicUpstream, clock: Clock): UpstreamConnection {
  const options = optionsOf(definition);
  const headers = { 'anthropic-version': FORMAT_VERSION, ...credentials(definition.apiKey, options) };
  return new UpstreamConnection({ baseUrl: versionedUrl(definition.baseUrl), headers, options }, clock);
}

function optionsOf({ options }: AnthropicUpstream): AnthropicOptions {
  return { ...DEFAULT_ANTHROPIC_OPTIONS, ...options };
}

function credentials(apiKey: string | null, { authentication }: AnthropicOptions): Readonly<Record<string, string>> {
  if (apiKey === null) return {};
  return authentication === 'bearer' ? { authorization: `Bearer ${apiKey}` } : { 'x-api-key': apiKey };
}
