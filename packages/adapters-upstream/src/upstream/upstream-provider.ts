import type { Clock, IdGenerator, ProviderCall, ProviderStream, Reasoning } from '@tollgate/core';
import { UpstreamFailure, type UpstreamReply } from './upstream-failure.js';

/** What providers need from outside. */
export interface UpstreamPorts {
  readonly clock: Clock;
  readonly ids: Pick<IdGenerator, 'responseId'>;
}

export interface ProviderPorts extends UpstreamPorts {
  readonly reasoningRefusals: ReasoningRefusals;
}

/** Told how one call goes. */
export interface CallHealth {
  /** First output arrived. */
  answered(): void;
  failed(failure: UpstreamFailure): void;
}

/** A provider that holds connections. */
export interface UpstreamProvider {
  /** Resolves once the upstream has accepted the request; throws `UpstreamFailure`. Tells `health` of what comes after that. */
  open(call: ProviderCall, health: CallHealth): Promise<ProviderStream>;
  /** Lets running calls end, then closes the connections. */
  close(): Promise<void>;
}

/** A server refuses a request for its reasoning field and serves it without. */
export interface ReasoningRefusal {
  readonly upstream: string;
  /** The model's name at the upstream. */
  readonly model: string;
  readonly reasoning: Reasoning;
}

export type ReasoningRefusalListener = (refusal: ReasoningRefusal) => void;

const REFUSAL_STATUSES: ReadonlySet<number> = new Set([400, 422]);

/**
 * Which reasoning each model at each upstream refuses, until the catalogue changes.
 * By value: a server may refuse levels and still take `off`, so one client's level must not undo another's `off`.
 */
export class ReasoningRefusals {
  readonly #refused = new Set<string>();

  constructor(private readonly listener: ReasoningRefusalListener) {}

  /** What to ask for in this call. */
  reasoningFor(call: ProviderCall): Reasoning {
    const { reasoning } = call.request;
    return this.#refused.size > 0 && this.#refused.has(keyOf(call)) ? 'model-default' : reasoning;
  }

  /** The upstream refused the call's reasoning and accepted the same request without it. Told to the listener once. */
  add(call: ProviderCall): void {
    const key = keyOf(call);
    if (this.#refused.has(key)) return;
    this.#refused.add(key);
    const { target, request } = call;
    this.listener({ upstream: target.upstreamId, model: target.upstreamModel, reasoning: request.reasoning });
  }

  clear(): void {
    this.#refused.clear();
  }
}

/** Whether a server refused the request itself, for what may be its reasoning field. */
export function mayRefuseReasoning(failure: unknown): boolean {
  if (!(failure instanceof UpstreamFailure) || failure.reason !== 'refused') return false;
  return REFUSAL_STATUSES.has((failure.cause as UpstreamReply).status);
}

function keyOf({ target, request }: ProviderCall): string {
  return JSON.stringify([target.upstreamId, target.upstreamModel, request.reasoning]);
}
