import { assertNever } from '@tollgate/core';
import type { CatalogueSurroundings } from './loaded-catalogue.js';
import type { OpenaiUpstreamOptions, UpstreamDefinition } from './upstream-definition.js';
import type { OpenaiEntry, UpstreamEntry } from './upstream-schema.js';

/** An upstream of a checked catalogue. */
export function decodeUpstream(id: string, entry: UpstreamEntry, surroundings: CatalogueSurroundings): UpstreamDefinition {
  switch (entry.kind) {
    case 'openai': return { id, kind: 'openai', baseUrl: entry.base_url, apiKey: apiKeyOf(entry, surroundings), options: optionsOf(entry, surroundings) };
    case 'sandbox': return { id, kind: 'sandbox' };
    default: return assertNever(entry);
  }
}

function apiKeyOf({ api_key, api_key_env }: OpenaiEntry, { environment }: CatalogueSurroundings): string | null {
  return api_key ?? (api_key_env === undefined ? null : environment[api_key_env] ?? null);
}

/** What the entry leaves out stays out, for the upstream adapter to fill in. */
function optionsOf(entry: OpenaiEntry, { timeouts }: CatalogueSurroundings): OpenaiUpstreamOptions {
  return {
    ...(entry.output_limit_field === undefined ? {} : { outputLimitField: entry.output_limit_field }),
    ...(entry.reasoning_style === undefined ? {} : { reasoningStyle: entry.reasoning_style }),
    ...(entry.reasoning_replay === undefined ? {} : { reasoningReplay: entry.reasoning_replay }),
    ...(entry.system_turns === undefined ? {} : { systemTurns: entry.system_turns }),
    ...(entry.attribution === undefined ? {} : { attribution: entry.attribution }),
    ...(entry.stop_sequence_limit === undefined ? {} : { stopSequenceLimit: entry.stop_sequence_limit }),
    ...(entry.max_connections === undefined ? {} : { maxConnections: entry.max_connections }),
    timeouts: {
      connectMilliseconds: entry.timeouts?.connect_seconds ?? timeouts.connectMilliseconds,
      firstByteMilliseconds: entry.timeouts?.first_byte_seconds ?? timeouts.firstByteMilliseconds,
      silenceMilliseconds: entry.timeouts?.silence_seconds ?? timeouts.silenceMilliseconds,
      wholeMilliseconds: entry.timeouts?.generation_seconds ?? timeouts.wholeMilliseconds,
    },
  };
}
