import type { Clock } from '@tollgate/core';
import { HttpProvider } from '../http/http-provider.js';
import { UpstreamConnection } from '../http/upstream-connection.js';
import type { ProviderPorts, UpstreamProvider } from '../routing/upstream-provider.js';
import { DEFAULT_OPENAI_OPTIONS, type OpenaiUpstream } from '../upstream-definition.js';
import { openaiDialect } from './openai-dialect.js';

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
