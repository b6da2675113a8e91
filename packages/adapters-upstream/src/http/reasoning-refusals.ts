import { type Clock, type Instant, later, type ProviderCall, type Reasoning } from '@tollgate/core';

/** A reasoning setting that a server refuses regardless of the rest of the request. */
export interface ReasoningRefusal {
  readonly upstream: string;
  /** The model's name at the upstream. */
  readonly model: string;
  readonly reasoning: Reasoning;
}

export type ReasoningRefusalListener = (refusal: ReasoningRefusal) => void;

/** Result of the gateway's own call; `unknown` if it failed for another reason than the request. */
export type OwnAnswer = 'served' | 'refused' | 'unknown';

/** Makes a call with this reasoning setting and without a client's content. Never rejects. */
export type AskOwn = (reasoning: Reasoning) => Promise<OwnAnswer>;

/** Time for which a probe's result is remembered. */
const REMEMBERED_MILLISECONDS = 10 * 60_000;

interface ProbeResult {
  /** The probe's result; `false` until it has ended. */
  readonly isRefused: boolean;
  readonly until: Instant;
}

/**
 * Reasoning settings that each model of each upstream refuses. Learned only from the gateway's own calls, because a client's request may be refused
 * for anything in it. Valid for ten minutes, or until the catalogue changes. Each setting is learned separately: a server may refuse levels and
 * accept `off`.
 */
export class ReasoningRefusals {
  #results = new Map<string, ProbeResult>();

  constructor(private readonly clock: Pick<Clock, 'now'>, private readonly listener: ReasoningRefusalListener) {}

  /** True if the call's setting is known to be refused. */
  has(call: ProviderCall): boolean {
    return this.#results.size > 0 && (this.#resultOf(keyOf(call))?.isRefused ?? false);
  }

  /** Probes the setting of a refused call, at most once in ten minutes per upstream, model and setting. */
  async suspect(call: ProviderCall, ask: AskOwn): Promise<void> {
    const { target, request: { reasoning } } = call;
    const key = keyOf(call);
    if (this.#resultOf(key) !== null) return;
    const results = this.#results;
    results.set(key, this.#result(false));
    const isRefused = await ask(reasoning) === 'refused' && await ask('model-default') === 'served';
    // The catalogue may have changed meanwhile, which discards the earlier results.
    if (!isRefused || results !== this.#results) return;
    results.set(key, this.#result(true));
    this.listener({ upstream: target.upstreamId, model: target.upstreamModel, reasoning });
  }

  clear(): void {
    this.#results = new Map();
  }

  #result(isRefused: boolean): ProbeResult {
    return { isRefused, until: later(this.clock.now(), REMEMBERED_MILLISECONDS) };
  }

  #resultOf(key: string): ProbeResult | null {
    const result = this.#results.get(key);
    if (result === undefined) return null;
    if (this.clock.now() < result.until) return result;
    this.#results.delete(key);
    return null;
  }
}

function keyOf({ target, request }: ProviderCall): string {
  return JSON.stringify([target.upstreamId, target.upstreamModel, request.reasoning]);
}
