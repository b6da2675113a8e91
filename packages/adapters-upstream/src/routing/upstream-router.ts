import { isDeepStrictEqual } from 'node:util';
import type { ModelProvider, ProviderCall, ProviderStream, UpstreamDefinition } from '@tollgate/core';
import { type ReasoningRefusalListener, ReasoningRefusals, type UpstreamPorts } from '../upstream/upstream-provider.js';
import { UpstreamFailure } from '../upstream/upstream-failure.js';
import type { CircuitState } from './circuit.js';
import { GuardedUpstream, type UpstreamReport } from './guarded-upstream.js';

/** The circuit of one model of one upstream. */
export interface CircuitStatus {
  readonly upstreamId: string;
  readonly upstreamModel: string;
  readonly state: CircuitState;
}

export interface RouterPorts extends UpstreamPorts {
  /** Silent unless given. */
  readonly report?: UpstreamReport;
  readonly onReasoningRefused?: ReasoningRefusalListener;
}

const SILENT: UpstreamReport = { failed: () => undefined, circuitChanged: () => undefined, answered: () => undefined };

/** Sends each call to the upstream its target names, unless the model keeps failing there. */
export class UpstreamRouter implements ModelProvider {
  #upstreams: ReadonlyMap<string, GuardedUpstream> = new Map();
  readonly #report: UpstreamReport;
  readonly #reasoningRefusals: ReasoningRefusals;
  /** Of upstreams that were replaced, until their last call has ended. */
  readonly #closing = new Set<Promise<void>>();

  constructor(definitions: readonly UpstreamDefinition[], private readonly ports: RouterPorts) {
    this.#report = ports.report ?? SILENT;
    this.#reasoningRefusals = new ReasoningRefusals(ports.onReasoningRefused ?? (() => undefined));
    this.#upstreams = this.#upstreamsFor(definitions);
  }

  open(call: ProviderCall): Promise<ProviderStream> {
    const upstream = this.#upstreams.get(call.target.upstreamId);
    if (upstream !== undefined) return upstream.open(call);
    const failure = new UpstreamFailure('not-configured', `there is no upstream ${call.target.upstreamId}`);
    this.#report.failed({ facts: call, failure, status: null, said: null });
    return Promise.reject(failure);
  }

  /** The circuits of the upstreams in force, of all models that were called. */
  circuits(): readonly CircuitStatus[] {
    return [...this.#upstreams].flatMap(([upstreamId, { circuits }]) => circuits.states().map(([upstreamModel, state]) => ({ upstreamId, upstreamModel, state })));
  }

  /**
   * Puts another set of upstreams in force for the calls to come. Running calls end where they began.
   * Upstreams whose definition stays the same keep their connections and their circuits; what they refused is forgotten.
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

  #upstreamsFor(definitions: readonly UpstreamDefinition[]): ReadonlyMap<string, GuardedUpstream> {
    return new Map(definitions.map((definition) => [definition.id, this.#keptOrNew(definition)]));
  }

  #keptOrNew(definition: UpstreamDefinition): GuardedUpstream {
    const known = this.#upstreams.get(definition.id);
    if (known !== undefined && isDeepStrictEqual(known.definition, definition)) return known;
    return new GuardedUpstream(definition, { ...this.ports, report: this.#report, reasoningRefusals: this.#reasoningRefusals });
  }

  #retire(upstream: GuardedUpstream): void {
    const closing = upstream.close().finally(() => this.#closing.delete(closing));
    this.#closing.add(closing);
  }
}
