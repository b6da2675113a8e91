import type { Clock, IdGenerator, ModelProvider } from '@tollgate/core';
import { anthropicProvider } from '../anthropic/anthropic-provider.js';
import { openaiProvider } from '../openai/openai-provider.js';
import { SandboxProvider } from '../sandbox/sandbox-provider.js';
import type { ReasoningRefusalListener, ReasoningRefusals } from '../http/reasoning-refusals.js';
import type { UpstreamDefinition } from '../upstream-definition.js';
import type { UpstreamHealth } from './circuit-breaker.js';

/** What providers need from outside. */
export interface UpstreamPorts {
  readonly clock: Clock;
  readonly ids: Pick<IdGenerator, 'responseId'>;
  readonly onReasoningRefused?: ReasoningRefusalListener;
}

export interface ProviderSurroundings extends UpstreamPorts {
  readonly health: UpstreamHealth;
  readonly reasoningRefusals: ReasoningRefusals;
}

/** A provider that holds connections. */
export interface UpstreamProvider extends ModelProvider {
  /** Lets running calls end, then closes the connections. */
  close(): Promise<void>;
}

/** The provider for an upstream's kind: the one place that knows them all. */
export function providerFor(definition: UpstreamDefinition, surroundings: ProviderSurroundings): UpstreamProvider {
  switch (definition.kind) {
    case 'openai': return openaiProvider(definition, surroundings);
    case 'anthropic': return anthropicProvider(definition, surroundings);
    case 'sandbox': return new SandboxProvider(surroundings);
  }
}
