import type { Clock, IdGenerator, ProviderCall, ProviderStream } from '@tollgate/core';
import { anthropicProvider } from '../anthropic/anthropic-provider.js';
import type { ReasoningRefusals } from '../http/failures.js';
import { openaiProvider } from '../openai/openai-provider.js';
import { SandboxProvider } from '../sandbox/sandbox-provider.js';
import type { UpstreamDefinition } from '../upstream-definition.js';
import type { CallHealth } from './circuit.js';

/** What providers need from outside. */
export interface UpstreamPorts {
  readonly clock: Clock;
  readonly ids: Pick<IdGenerator, 'responseId'>;
}

export interface ProviderPorts extends UpstreamPorts {
  readonly reasoningRefusals: ReasoningRefusals;
}

/** A provider that holds connections. */
export interface UpstreamProvider {
  /** Resolves once the upstream has accepted the request; throws `UpstreamFailure`. Tells `health` of what comes after that. */
  open(call: ProviderCall, health: CallHealth): Promise<ProviderStream>;
  /** Lets running calls end, then closes the connections. */
  close(): Promise<void>;
}

/** The provider for an upstream's kind: the one place that knows them all. */
export function providerFor(definition: UpstreamDefinition, ports: ProviderPorts): UpstreamProvider {
  switch (definition.kind) {
    case 'openai': return openaiProvider(definition, ports);
    case 'anthropic': return anthropicProvider(definition, ports);
    case 'sandbox': return new SandboxProvider(ports);
  }
}
