import { assertNever, type JsonObject } from '@tollgate/core';
import type { CatalogueSurroundings } from './loaded-catalogue.js';
import type { AnthropicUpstreamOptions, OpenaiUpstreamOptions, ServerOptions, UpstreamDefinition } from './upstream-definition.js';
import type { AnthropicEntry, OpenaiEntry, UpstreamEntry } from './upstream-schema.js';

type ServerEntry = OpenaiEntry | AnthropicEntry;

export interface UpstreamSurroundings extends CatalogueSurroundings {
  /** The operator's own fields with the types that YAML gives them. */
  readonly extraBody: JsonObject | null;
}

/** An upstream of a checked catalogue. */
export function decodeUpstream(id: string, entry: UpstreamEntry, surroundings: UpstreamSurroundings): UpstreamDefinition {
  if (entry.kind === 'sandbox') return { id, kind: 'sandbox' };
  const server = { id, baseUrl: entry.base_url, apiKey: apiKeyOf(entry, surroundings) };
  switch (entry.kind) {
    case 'openai': return { ...server, kind: 'openai', options: { ...openaiOptions(entry), ...serverOptions(entry, surroundings) } };
    case 'anthropic': return { ...server, kind: 'anthropic', options: { ...anthropicOptions(entry), ...serverOptions(entry, surroundings) } };
    default: return assertNever(entry);
  }
}

function apiKeyOf({ api_key, api_key_env }: ServerEntry, { environment }: CatalogueSurroundings): string | null {
  return api_key ?? (api_key_env === undefined ? null : environment[api_key_env] ?? null);
}

/** What an entry leaves out stays out, for the upstream adapter to fill in. */
function openaiOptions(entry: OpenaiEntry): Omit<OpenaiUpstreamOptions, keyof ServerOptions> {
  return {
    ...(entry.output_limit_field === undefined ? {} : { outputLimitField: entry.output_limit_field }),
    ...(entry.reasoning_style === undefined ? {} : { reasoningStyle: entry.reasoning_style }),
    ...(entry.reasoning_replay === undefined ? {} : { reasoningReplay: entry.reasoning_replay }),
  };
}

function anthropicOptions(entry: AnthropicEntry): Omit<AnthropicUpstreamOptions, keyof ServerOptions> {
  return {
    ...(entry.authentication === undefined ? {} : { authentication: entry.authentication }),
    ...(entry.reasoning_style === undefined ? {} : { reasoningStyle: entry.reasoning_style }),
    ...(entry.reasoning_replay === undefined ? {} : { reasoningReplay: entry.reasoning_replay }),
  };
}

function serverOptions(entry: ServerEntry, { timeouts, extraBody }: UpstreamSurroundings): ServerOptions {
  return {
    ...(entry.system_turns === undefined ? {} : { systemTurns: entry.system_turns }),
    ...(entry.attribution === undefined ? {} : { attribution: entry.attribution }),
    ...(entry.stop_sequence_limit === undefined ? {} : { stopSequenceLimit: entry.stop_sequence_limit }),
    ...(entry.json_schema === undefined ? {} : { jsonSchema: entry.json_schema }),
    ...(extraBody === null ? {} : { extraBody }),
    ...(entry.max_connections === undefined ? {} : { maxConnections: entry.max_connections }),
    timeouts: {
      connectMilliseconds: entry.timeouts?.connect_seconds ?? timeouts.connectMilliseconds,
      firstByteMilliseconds: entry.timeouts?.first_byte_seconds ?? timeouts.firstByteMilliseconds,
      silenceMilliseconds: entry.timeouts?.silence_seconds ?? timeouts.silenceMilliseconds,
      wholeMilliseconds: entry.timeouts?.generation_seconds ?? timeouts.wholeMilliseconds,
    },
  };
}
