import type { UpstreamTimeouts } from '../settings/settings.js';

/** What differs between servers that speak chat completions; what is left out takes the default of the upstream adapter. */
export interface OpenaiUpstreamOptions {
  readonly outputLimitField?: 'max_tokens' | 'max_completion_tokens';
  readonly reasoningStyle?: 'effort' | 'thinking' | 'chat-template' | 'none';
  readonly reasoningReplay?: 'sent' | 'omitted';
  readonly systemTurns?: 'in-place' | 'as-user';
  readonly attribution?: 'sent' | 'omitted';
  readonly stopSequenceLimit?: number;
  readonly maxConnections?: number | null;
  readonly timeouts: UpstreamTimeouts;
}

/** A server that speaks chat completions. */
export interface OpenaiUpstreamDefinition {
  readonly id: string;
  readonly kind: 'openai';
  readonly baseUrl: string;
  readonly apiKey: string | null;
  readonly options: OpenaiUpstreamOptions;
}

/** The gateway's own simulated models. */
export interface SandboxUpstreamDefinition {
  readonly id: string;
  readonly kind: 'sandbox';
}

/** An upstream of the catalogue, as the upstream adapter takes it. */
export type UpstreamDefinition = OpenaiUpstreamDefinition | SandboxUpstreamDefinition;
