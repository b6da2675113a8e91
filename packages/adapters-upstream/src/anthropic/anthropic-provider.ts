import type { AnthropicOptions, AnthropicUpstream, IdGenerator, ProviderCall, Reasoning } from '@tollgate/core';
import { UpstreamConnection } from '../http/connection.js';
import { DEFAULT_SERVER_OPTIONS } from '../http/default-options.js';
import { versionedUrl } from '../http/server-url.js';
import { type Dialect, HttpProvider, type ProviderPorts, type UpstreamProvider } from '../http/upstream-provider.js';
import type { SocketPorts } from '../http/upstream-sockets.js';
import { isRuled } from '../request/parameter-rules.js';
import { divideStopSequences, encodeMessagesRequest } from './encode-messages-request.js';
import { encodeThinking, saysThinking, turnTermsOf } from './encode-thinking.js';
import { MessagesReplyAssembler } from './messages-reply-assembler.js';

export const DEFAULT_ANTHROPIC_OPTIONS: AnthropicOptions = {
  ...DEFAULT_SERVER_OPTIONS,
  toolCallIdLimit: 64,
  authentication: 'api-key',
  cacheControl: 'omitted',
  reasoningStyle: 'budget',
  reasoningReplay: 'signed',
  systemTurns: 'as-user',
  stopSequenceLimit: 16,
};

function anthropicDialect(options: AnthropicOptions, ids: Pick<IdGenerator, 'responseId'>): Dialect {
  return {
    endpoint: '/messages',
    callIdLimit: options.toolCallIdLimit,
    encodeRequest: (call, { reasoning, continuation }) => encodeMessagesRequest(call, reasoning, continuation === 'sent' ? options : { ...options, reasoningReplay: 'omitted' }),
    hasReasoningField: (call, reasoning) => saysThinking(call, reasoning, options.reasoningStyle),
    foregoesReasoning: (call, reasoning) => foregoesThinking(call, reasoning, options),
    assemblerFor: (call, writer) => new MessagesReplyAssembler(writer, {
      newToolCallId: () => ids.responseId('toolu_'),
      localStopSequences: divideStopSequences(call.request.stopSequences, isRuled(call, ['stop_sequences']) ? 0 : options.stopSequenceLimit).local,
      modelReasons: call.model.reasoning,
    }),
  };
}

/** The current version of the messages format. */
const FORMAT_VERSION = '2023-06-01';

export function anthropicProvider(definition: AnthropicUpstream, ports: ProviderPorts): UpstreamProvider {
  const dialect = anthropicDialect(optionsOf(definition), ports.ids);
  return new HttpProvider({ connection: anthropicConnection(definition, ports), dialect, ports });
}

export function anthropicConnection(definition: AnthropicUpstream, ports: SocketPorts): UpstreamConnection {
  const options = optionsOf(definition);
  const headers = { 'anthropic-version': FORMAT_VERSION, ...credentials(definition.apiKey, options) };
  return new UpstreamConnection({ baseUrl: versionedUrl(definition.baseUrl), headers, options }, ports);
}

function optionsOf({ options }: AnthropicUpstream): AnthropicOptions {
  return { ...DEFAULT_ANTHROPIC_OPTIONS, ...options };
}

function credentials(apiKey: string | null, { authentication }: AnthropicOptions): Readonly<Record<string, string>> {
  if (apiKey === null) return {};
  return authentication === 'bearer' ? { authorization: `Bearer ${apiKey}` } : { 'x-api-key': apiKey };
}

function foregoesThinking(call: ProviderCall, reasoning: Reasoning, options: AnthropicOptions): boolean {
  if (reasoning === 'off' || !saysThinking(call, reasoning, options.reasoningStyle)) return false;
  return encodeThinking(call, { reasoning, style: options.reasoningStyle, turns: turnTermsOf(call, options) }).state === 'off';
}
