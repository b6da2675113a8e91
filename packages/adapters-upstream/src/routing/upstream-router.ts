import { isDeepStrictEqual } from 'node:util';
import {
  type Clock, GatewayError, type Instant, type ModelProvider, type ProviderCall, type ProviderStream, type RequestId, type UpstreamDefinition,
} from '@tollgate/core';
import { anthropicProvider } from '../anthropic/anthropic-provider.js';
import { responsesProvider } from '../responses/responses-provider.js';
import { openaiProvider } from '../openai/openai-provider.js';
import { SandboxProvider } from '../sandbox/sandbox-provider.js';
import { CircuitOpenFailure, isUpstreamReply, UpstreamFailure } from '../upstream/upstream-failure.js';
import { saidByUpstream, secretsOf } from '../reply/said-by-upstream.js';
import { type CallFacts, contentFreeCall } from '../http/content-free-call.js';
import { Circuits, type CircuitState, type ProbeOutcome } from './circuit.js';
import { type ReasoningRefusalListener, ReasoningRefusals } from '../http/reasoning-refusals.js';
import type { ProviderPorts, UpstreamPorts, UpstreamProvider } from '../http/upstream-provider.js';
import type { ReplyOddities } from '../reply/block-writer.js';
import type { CallHealth } from '../reply/call-health.js';
import { isSilent, weightOf } from './circuit-window.js';

export interface FailedCall {
  readonly facts: CallFacts;
  readonly failure: UpstreamFailure;
  /** Error status of the reply, or of the error within it; `null` for failures without one. */
  readonly status: number | null;
  /** The message of the upstream or the connection for the log: one line, without secrets; `null` if there is none. */
  readonly said: string | null;
}

/**
 * Receives the failures, answers and irregularities of all upstreams, and the changes of their circuits. The methods must return at once and never
 * throw.
 */
export interface UpstreamReport {
  /** Not called for cancelled calls, nor for calls that were refused because of an open circuit or for lack of sockets. */
  failed(call: FailedCall): void;
  circuitChanged(facts: CallFacts, state: CircuitState): void;
  /** Called at the first output, or at the end of a reply without output. `milliseconds` include the wait for a connection. */
  answered(facts: CallFacts, milliseconds: number): void;
  /** Called with the irregularities found in a reply since the last call. */
  noticed(facts: CallFacts, oddities: ReplyOddities): void;
  /**
   * Called at the end of a call that the gateway itself makes for a circuit. `failed` or `answered` is called before, unless the call was cancelled,
   * as at its timeout.
   */
  probed(facts: CallFacts, outcome: ProbeOutcome): void;
}

export interface GuardedUpstreamPorts extends ProviderPorts {
  readonly report: UpstreamReport;
}

/** Abort reason of the gateway's own calls when the upstream leaves the catalogue. */
const RETIRED = Symbol('the upstream is no longer used');
/** Timeout of the gateway's own calls, unless the upstream's is shorter. */
const PROBE_MILLISECONDS = 30_000;

/** An upstream with a circuit for each of its models. */
class GuardedUpstream {
  readonly circuits: Circuits;
  readonly #provider: UpstreamProvider;
  readonly #secrets: readonly string[];
  /** The gateway's own calls that are running, at most one per circuit. */
  readonly #probes = new Set<AbortController>();
  #isRetired = false;

  constructor(readonly definition: UpstreamDefinition, private readonly ports: GuardedUpstreamPorts) {
    this.#provider = providerFor(definition, ports);
    this.#secrets = secretsOf(definition);
    this.circuits = new Circuits({
      clock: ports.clock,
      probe: (facts) => this.#probe(facts),
      changed: (facts, state) => ports.report.circuitChanged(facts, state),
    });
  }

  open(call: ProviderCall): Promise<ProviderStream> {
    const circuit = this.circuits.of(call.target.upstreamModel);
    const facts = factsOf(call);
    const counted = circuit.begin(facts);
    if (counted === null) return Promise.reject(new CircuitOpenFailure(call.target.upstreamId, circuit.restSeconds));
    return this.#call(call, this.#reported(facts, counted));
  }

  /** Waits for running calls, then closes the connections. */
  close(): Promise<void> {
    this.#isRetired = true;
    for (const probe of this.#probes) probe.abort(RETIRED);
    return this.#provider.close();
  }

  #reported(facts: CallFacts, counted: CallHealth): CallHealth {
    return new ReportedCall({ facts, counted, report: this.ports.report, clock: this.ports.clock, secrets: this.#secrets });
  }

  #call(call: ProviderCall, health: CallHealth): Promise<ProviderStream> {
    return this.#provider.open(call, health).catch((thrown: unknown) => {
      if (thrown instanceof UpstreamFailure) health.failed(thrown);
      else if (thrown instanceof GatewayError) health.failed(new UpstreamFailure('cancelled', 'the upstream was not called', thrown));
      throw thrown;
    });
  }

  /** Calls the model within half a minute, on behalf of no account. */
  async #probe(facts: CallFacts): Promise<ProbeOutcome> {
    if (this.#isRetired) return 'given-up';
    const { clock, ids, report } = this.ports;
    const controller = new AbortController();
    this.#probes.add(controller);
    const stopTimer = clock.schedule(PROBE_MILLISECONDS, () => controller.abort());
    const call = contentFreeCall(facts, { requestId: ids.responseId('probe_') as RequestId, signal: controller.signal });
    const outcome = await this.#outcomeOf(call);
    stopTimer();
    this.#probes.delete(controller);
    report.probed(factsOf(call), outcome);
    return outcome;
  }

  async #outcomeOf(call: ProviderCall): Promise<ProbeOutcome> {
    try {
      const stream = await this.#call(call, this.#reported(factsOf(call), UNCOUNTED));
      await stream.next();
      void stream.return();
      return 'answered';
    } catch (thrown) {
      if (!(thrown instanceof UpstreamFailure)) return 'given-up';
      const { reason } = thrown;
      if (reason === 'cancelled') return call.signal.reason === RETIRED ? 'given-up' : 'failed';
      if (isSilent(reason)) return reason === 'too-long-running' ? 'failed' : 'given-up';
      return weightOf(reason) === 'nothing' ? 'answered' : 'failed';
    }
  }
}

function factsOf({ requestId, accountId, model, target }: ProviderCall): CallFacts {
  return { requestId, accountId, model, target };
}

const UNCOUNTED: CallHealth = { answered: () => undefined, failed: () => undefined };

interface ReportedCallParts {
  readonly facts: CallFacts;
  readonly counted: CallHealth;
  readonly report: UpstreamReport;
  readonly clock: Clock;
  readonly secrets: readonly string[];
}

/** Passes the events of a call on to the circuit and the report. */
class ReportedCall implements CallHealth {
  readonly #begunAt: Instant;

  constructor(private readonly parts: ReportedCallParts) {
    this.#begunAt = parts.clock.now();
  }

  answered(): void {
    const { facts, counted, report, clock } = this.parts;
    counted.answered();
    report.answered(facts, clock.now() - this.#begunAt);
  }

  failed(failure: UpstreamFailure): void {
    const { facts, counted, report, secrets } = this.parts;
    counted.failed(failure);
    if (failure.reason === 'cancelled') return;
    const status = isUpstreamReply(failure.cause) ? failure.cause.status : null;
    report.failed({ facts, failure, status, said: saidByUpstream(failure, secrets) });
  }

  noticed(oddities: ReplyOddities): void {
    this.parts.report.noticed(this.parts.facts, oddities);
  }
}

/** Creates the provider for a definition; the only place that knows all kinds. */
function providerFor(definition: UpstreamDefinition, ports: ProviderPorts): UpstreamProvider {
  switch (definition.kind) {
    case 'openai': return openaiProvider(definition, ports);
    case 'anthropic': return anthropicProvider(definition, ports);
    case 'responses': return responsesProvider(definition, ports);
    case 'sandbox': return new SandboxProvider(ports);
  }
}

export interface CircuitStatus {
  readonly upstreamId: string;
  readonly upstreamModel: string;
  readonly state: CircuitState;
}

export interface RouterPorts extends UpstreamPorts {
  /** Default: nothing is reported. */
  readonly report?: UpstreamReport;
  readonly onReasoningRefused?: ReasoningRefusalListener;
}

const SILENT: UpstreamReport = {
  failed: () => undefined, circuitChanged: () => undefined, answered: () => undefined, noticed: () => undefined, probed: () => undefined,
};

/** Routes each call to its target's upstream, unless the model's circuit is open. */
export class UpstreamRouter implements ModelProvider {
  #upstreams: ReadonlyMap<string, GuardedUpstream> = new Map();
  readonly #report: UpstreamReport;
  readonly #reasoningRefusals: ReasoningRefusals;
  /** Pending closings of replaced upstreams. Each waits for the upstream's running calls. */
  readonly #closing = new Set<Promise<void>>();

  constructor(definitions: readonly UpstreamDefinition[], private readonly ports: RouterPorts) {
    this.#report = ports.report ?? SILENT;
    this.#reasoningRefusals = new ReasoningRefusals(ports.clock, ports.onReasoningRefused ?? (() => undefined));
    this.#upstreams = this.#upstreamsFor(definitions);
  }

  open(call: ProviderCall): Promise<ProviderStream> {
    const upstream = this.#upstreams.get(call.target.upstreamId);
    if (upstream !== undefined) return upstream.open(call);
    const failure = new UpstreamFailure('not-configured', `there is no upstream ${call.target.upstreamId}`);
    this.#report.failed({ facts: factsOf(call), failure, status: null, said: null });
    return Promise.reject(failure);
  }

  /** Circuits of the current upstreams, for all models that were called. */
  circuits(): readonly CircuitStatus[] {
    return [...this.#upstreams].flatMap(([upstreamId, { circuits }]) => circuits.states().map(([upstreamModel, state]) => ({ upstreamId, upstreamModel, state })));
  }

  /**
   * Changes the upstreams for later calls. Running calls finish. Unchanged upstreams keep connections and circuits; learned refusals of reasoning
   * settings are dropped.
   */
  replace(definitions: readonly UpstreamDefinition[]): void {
    this.#reasoningRefusals.clear();
    const before = this.#upstreams;
    this.#upstreams = this.#upstreamsFor(definitions);
    const kept = new Set(this.#upstreams.values());
    for (const upstream of before.values()) if (!kept.has(upstream)) this.#retire(upstream);
  }

  /** Resolves when all calls have ended and connections are closed. No call may be opened after this. */
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
