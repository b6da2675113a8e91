import {
  type ModelProvider, type ProviderCall, type ProviderEventBatch, ProviderFailure, type ProviderStream, type ReportedUsage,
} from '@tollgate/core';

/** One step of a scripted reply: events, something to wait for, or a failure. */
export type ProviderStep = ProviderEventBatch | Promise<unknown> | ProviderFailure;

/** Accepts, and plays the steps. */
export interface ProviderReply {
  readonly steps: readonly ProviderStep[];
}

export type ProviderScript =
  | ProviderReply
  /** Does not accept. */
  | { readonly refuse: ProviderFailure };

export const REPORTED_USAGE: ReportedUsage = {
  promptTokens: 9, cachedPromptTokens: 2, cacheCreationTokens: 0, outputTokens: 3, reasoningTokens: 0,
};

/** A reply of one text block. */
export function textReply(...pieces: readonly string[]): ProviderReply {
  return {
    steps: [
      [{ type: 'block-start', index: 0, block: { type: 'text' } }],
      ...pieces.map((delta): ProviderEventBatch => [{ type: 'block-delta', index: 0, delta }]),
      [{ type: 'block-end', index: 0, signature: null }, { type: 'provider-end', stopReason: 'end', usage: REPORTED_USAGE }],
    ],
  };
}

/** A reply that has begun with one piece of text and goes on when `until` resolves. */
export function haltedReply(until: Promise<unknown>, piece = 'Hello'): ProviderReply {
  const { steps } = textReply(piece);
  return { steps: [...steps.slice(0, 2), until, ...steps.slice(2)] };
}

class ScriptedStream implements ProviderStream {
  readonly #steps: ProviderStep[];
  #closed = false;
  #release: () => void = () => undefined;
  readonly #aborted: Promise<void>;

  constructor(steps: readonly ProviderStep[], call: ProviderCall) {
    this.#steps = [...steps];
    this.#aborted = new Promise((resolve) => {
      this.#release = resolve;
      call.signal.addEventListener('abort', () => resolve());
      if (call.signal.aborted) resolve();
    });
    void this.#aborted.then(() => {
      this.#closed = true;
    });
  }

  async next(): Promise<IteratorResult<ProviderEventBatch, undefined>> {
    for (;;) {
      const step = this.#steps.shift();
      if (this.#closed || step === undefined) return { done: true, value: undefined };
      if (step instanceof ProviderFailure) throw step;
      if (!(step instanceof Promise)) return { done: false, value: step };
      await Promise.race([step, this.#aborted]);
    }
  }

  return(): Promise<IteratorResult<ProviderEventBatch, undefined>> {
    this.#release();
    return Promise.resolve({ done: true, value: undefined });
  }
}

/** A model that says what a test tells it to, each call the next script, and a short text when there is none. */
export class ScriptedProvider implements ModelProvider {
  readonly calls: ProviderCall[] = [];
  readonly #scripts: ProviderScript[] = [];

  play(...scripts: readonly ProviderScript[]): void {
    this.#scripts.push(...scripts);
  }

  open(call: ProviderCall): Promise<ProviderStream> {
    this.calls.push(call);
    const script = this.#scripts.shift() ?? textReply('Hello', ' there');
    if ('refuse' in script) return Promise.reject(script.refuse);
    return Promise.resolve(new ScriptedStream(script.steps, call));
  }
}
