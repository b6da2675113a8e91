import { type Clock, type Instant, later, type ProviderCall, type Reasoning } from '@tollgate/core';

/** A server refuses a reasoning setting whatever the request says beside it. */
export interface ReasoningRefusal {
  readonly upstream: string;
  /** The model's name at the upstream. */
  readonly model: string;
  readonly reasoning: Reasoning;
}

export type ReasoningRefusalListener = (refusal: ReasoningRefusal) => void;

/** How a server answers a call of the gateway's own; `unknown`: it says nothing of the request. */
export type OwnAnswer = 'served' | 'refused' | 'unknown';

/** Makes a call without a client's content that asks for this reasoning and nothing else. Never rejects. */
export type AskOwn = (reasoning: Reasoning) => Promise<OwnAnswer>;

/** How long the result of a probe holds. */
export const REMEMBERED_MILLISECONDS = 10 * 60_000;

interface ProbeResult {
  /** `false` until the probe has ended, too. */
  readonly isRefused: boolean;
  readonly until: Instant;
}

/**
 * Which reasoning settings each model at each upstream refuses. Known from calls of the gateway's own alone, for ten minutes, until the
 * catalogue changes: what one client's request is refused for may be anything in it.
 * By value: a server may refuse levels and still take `off`.
 */
export class ReasoningRefusals {
  #results = new Map<string, ProbeResult>();

  constructor(private readonly clock: Pick<Clock, 'now'>, private readonly listener: ReasoningRefusalListener) {}

  /** Whether the call's reasoning setting is known to be refused. */
  has(call: ProviderCall): boolean {
    return this.#resultOf(keyOf(call))?.isRefused ?? false;
  }

  /** Probes whether the setting of a call that was refused is at fault, at most once in ten minutes for each upstream, model and setting. */
  async suspect(call: ProviderCall, ask: AskOwn): Promise<void> {
    const { target, request: { reasoning } } = call;
    const key = keyOf(call);
    if (this.#resultOf(key) !== null) return;
    const results = this.#results;
    results.set(key, this.#result(false));
    const isRefused = await ask(reasoning) === 'refused' && await ask('model-default') === 'served';
    // The catalogue may have changed meanwhile.
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
