import type { Clock, IdGenerator, ProviderCall, ProviderStream } from '@tollgate/core';
import type { ReasoningRefusals } from '../http/failures.js';
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
