import { isDeepStrictEqual } from 'node:util';
import type { ModelProvider, ProviderCall, ProviderStream } from '@tollgate/core';
import { ReasoningRefusals } from '../http/reasoning-refusals.js';
import type { UpstreamDefinition } from '../upstream-definition.js';
import { CircuitOpenFailure, UpstreamFailure } from '../upstream-failure.js';
import { CircuitBreaker } from './circuit-breaker.js';
import { providerFor, type UpstreamPorts, type UpstreamProvider } from './upstream-provider.js';

interface Upstream {
  readonly definition: UpstreamDefinition;
  readonly provider: UpstreamProvider;
  readonly breaker: CircuitBreaker;
}

/** Sends each call to the upstream its target names, unless that upstream keeps failing. */
export class UpstreamRouter implements ModelProvider {
  #upstreams: ReadonlyMap<string, Upstream> = new Map();
  readonly #reasoningRefusals: ReasoningRefusals;
  /** Of upstreams that were replaced, until their last call has ended. */
  readonly #closing = new Set<Promise<void>>();

  constructor(definitions: readonly UpstreamDefinition[], private readonly ports: UpstreamPorts) {
    this.#reasoningRefusals = new ReasoningRefusals(ports.onReasoningRefused ?? (() => undefined));
    this.#upstreams = this.#upstreamsFor(definitions);
  }

  open(call: ProviderCall): Promise<ProviderStream> {
    const upstream = this.#upstreams.get(call.target.upstreamId);
    if (upstream === undefined) return Promise.reject(new UpstreamFailure('not-configured', `there is no upstream ${call.target.upstreamId}`));
    if (!upstream.breaker.permits()) return Promise.reject(new CircuitOpenFailure(call.target.upstreamId, upstream.breaker.restSeconds()));
    return upstream.provider.open(call);
  }

  /** The circuit of each upstream in force, by its id. */
  circuits(): ReadonlyMap<string, CircuitBreaker['state']> {
    return new Map([...this.#upstreams].map(([id, { breaker }]) => [id, breaker.state]));
  }

  /**
   * Puts another set of upstreams in force for the calls to come. Running calls end where they began.
   * Upstreams whose definition stays the same keep their connections and their circuit; what they refused is forgotten.
   */
  replace(definitions: readonly UpstreamDefinition[]): void {
    this.#reasoningRefusals.clear();
    const before = this.#upstreams;
    this.#upstreams = this.#upstreamsFor(definitions);
    const kept = new Set(this.#upstreams.values());
    for (const upstream of before.values()) if (!kept.has(upstream)) this.#retire(upstream);
  }

  /** Resolves when all running calls have ended and all connections are closed. No call may follow. */
  async close(): Promise<void> {
    this.replace([]);
    await Promise.all(this.#closing);
  }

  #upstreamsFor(definitions: readonly UpstreamDefinition[]): ReadonlyMap<string, Upstream> {
    return new Map(definitions.map((definition) => [definition.id, this.#keptOrNew(definition)]));
  }

  #keptOrNew(definition: UpstreamDefinition): Upstream {
    const known = this.#upstreams.get(definition.id);
    if (known !== undefined && isDeepStrictEqual(known.definition, definition)) return known;
    const breaker = new CircuitBreaker(this.ports.clock);
    return { definition, breaker, provider: providerFor(definition, { ...this.ports, health: breaker, reasoningRefusals: this.#reasoningRefusals }) };
  }

  #retire({ provider }: Upstream): void {
    const closing = provider.close().finally(() => this.#closing.delete(closing));
    this.#closing.add(closing);
  }
}
