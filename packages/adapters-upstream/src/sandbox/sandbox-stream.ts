import type { CancelSignal, Clock, ProviderEventBatch, ProviderStream } from '@tollgate/core';
import type { CallHealth } from '../routing/circuit/circuit.js';
import { UpstreamFailure } from '../upstream-failure.js';
import { pause } from './pause.js';

export interface SandboxScript {
  readonly batches: readonly ProviderEventBatch[];
  /** Waited before each batch but the first. */
  readonly paceMilliseconds: number;
  /** Thrown in place of what would come after the batches. */
  readonly failure: UpstreamFailure | null;
  readonly health: CallHealth;
}

const DONE: IteratorReturnResult<undefined> = { done: true, value: undefined };

/** Plays batches that were made beforehand, at their pace. */
export class SandboxStream implements ProviderStream {
  readonly statedPrompt = null;
  #position = 0;
  #closed = false;
  #wake: () => void = () => undefined;

  constructor(private readonly script: SandboxScript, private readonly clock: Clock, private readonly signal: CancelSignal) {}

  async next(): Promise<IteratorResult<ProviderEventBatch, undefined>> {
    if (this.#closed) return DONE;
    if (this.#position > 0 && this.script.paceMilliseconds > 0) await this.#wait();
    if (this.#closed) return DONE;
    if (this.signal.aborted) throw new UpstreamFailure('cancelled', 'the call was cancelled', this.signal.reason);
    const batch = this.script.batches[this.#position];
    this.#position += 1;
    const { failure, health } = this.script;
    if (batch !== undefined) {
      if (this.#position === 1) health.answered();
      return { done: false, value: batch };
    }
    this.#closed = true;
    if (failure === null) return DONE;
    health.failed(failure);
    throw failure;
  }

  return(): Promise<IteratorResult<ProviderEventBatch, undefined>> {
    this.#closed = true;
    this.#wake();
    return Promise.resolve(DONE);
  }

  async #wait(): Promise<void> {
    const closed = new Promise<void>((resolve) => {
      this.#wake = resolve;
    });
    await pause({ clock: this.clock, signal: this.signal, milliseconds: this.script.paceMilliseconds, endEarly: closed });
  }
}
