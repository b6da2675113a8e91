import { assertNever, type Clock } from '@tollgate/core';
import { anthropicConnection } from '../anthropic/anthropic-provider.js';
import type { UpstreamConnection } from '../http/upstream-connection.js';
import { openaiConnection } from '../openai/openai-provider.js';
import type { AnthropicUpstream, OpenaiUpstream } from '../upstream-definition.js';

/** An upstream that can be asked what it serves. */
export type AskableUpstream = OpenaiUpstream | AnthropicUpstream;

export function connectionTo(definition: AskableUpstream, clock: Clock): UpstreamConnection {
  switch (definition.kind) {
    case 'openai': return openaiConnection(definition, clock);
    case 'anthropic': return anthropicConnection(definition, clock);
    default: return assertNever(definition);
  }
}
