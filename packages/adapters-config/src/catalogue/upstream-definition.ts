import type { JsonObject } from '@tollgate/core';
import type { UpstreamTimeouts } from '../settings/settings.js';
import type { REASONING_STYLES } from '../settings/variables.js';

/** What can be set for every server that is reached over HTTP; what is left out takes the default of the upstream adapter. */
export interface ServerOptions {
  readonly systemTurns?: 'in-place' | 'as-user';
  readonly attribution?: 'sent' | 'omitted';
  readonly stopSequenceLimit?: number;
  readonly jsonSchema?: 'object' | 'schema';
  readonly extraBody?: JsonObject;
  readonly maxConnections?: number | null;
  readonly timeouts: UpstreamTimeouts;
}

/** What differs between servers that speak chat completions. */
export interface OpenaiUpstreamOptions extends ServerOptions {
  readonly outputLimitField?: 'max_tokens' | 'max_completion_tokens';
  readonly reasoningStyle?: (typeof REASONING_STYLES)['openai'][number];
  readonly reasoningReplay?: 'sent' | 'omitted';
}

/** What differs between servers that speak the messages format. */
export interface AnthropicUpstreamOptions extends ServerOptions {
  readonly authentication?: 'api-key' | 'bearer';
  readonly reasoningStyle?: (typeof REASONING_STYLES)['anthropic'][number];
  readonly reasoningReplay?: 'signed' | 'sent' | 'omitted';
}

/** A server that speaks chat completions. */
export interface OpenaiUpstreamDefinition {
  readonly id: string;
  readonly kind: 'openai';
  readonly baseUrl: string;
  readonly apiKey: string | null;
  readonly options: OpenaiUpstreamOptions;
}

/** A server that speaks the messages format. */
export interface AnthropicUpstreamDefinition {
  readonly id: string;
  readonly kind: 'anthropic';
  readonly baseUrl: string;
  readonly apiKey: string | null;
  readonly options: AnthropicUpstreamOptions;
}

/** The gateway's own simulated models. */
export interface SandboxUpstreamDefinition {
  readonly id: string;
  readonly kind: 'sandbox';
}

/** An upstream of the catalogue, as the upstream adapter takes it. */
export type UpstreamDefinition = OpenaiUpstreamDefinition | AnthropicUpstreamDefinition | SandboxUpstreamDefinition;
