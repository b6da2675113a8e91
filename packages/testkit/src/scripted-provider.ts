import {
  NO_PROMPT_PARTS, type CancelSignal, type ContentBlock, type GenerationRequest, type ModelProvider, type OutputSchema, type ProviderCall, type ProviderEventBatch,
  ProviderFailure, type ProviderStream, type ReportedPrompt, type ReportedUsage, type StopReason, type TokenCount, tokenCount,
  type TokenCounter, type TokenEstimator,
} from '@tollgate/core';
import type { Gate } from './scripted-upstream/gate.js';

/** Estimates one token per character of text. */
export class OneTokenPerCharacter implements TokenEstimator {
  estimatePrompt({ conversation }: GenerationRequest): TokenCount {
    const blocks = [...conversation.system, ...conversation.turns.flatMap((turn): readonly ContentBlock[] => turn.content)];
    const characters = blocks.reduce((sum, block) => sum + ('text' in block ? block.text.length : 0), 0);
    return tokenCount(Math.max(1, characters));
  }

  estimateSchema({ schema }: OutputSchema): TokenCount {
    return tokenCount(schema.text.length);
  }

  startCounter(): TokenCounter {
    let characters = 0;
    return {
      add: (text) => { characters += text.length; },
      clipLast: (text, tokens) => {
        const before = characters - text.length;
        const kept = Math.min(text.length, Math.max(0, tokens - before));
        characters = before + kept;
        return kept;
      },
      get tokens(): TokenCount { return tokenCount(characters); },
    };
  }
}

/** A step of a script. If the steps are used up before `provider-end`, the stream ends without it, which is a failure. */
export type ProviderStep =
  | { readonly type: 'yield'; readonly batch: ProviderEventBatch }
  | { readonly type: 'wait'; readonly gate: Gate }
  | { readonly type: 'fail'; readonly failure: Error }
  /** Waits until the request is aborted. */
  | { readonly type: 'hang' };

export interface ProviderScript {
  /** The prompt's token counts that the upstream reports at the start. By default, none. */
  readonly statedPrompt?: ReportedPrompt;
  /** A gate before the upstream's answer: the upstream accepts the request when it opens. */
  readonly opensAfter?: Gate;
  /** The error with which the upstream refuses the request. */
  readonly refuses?: Error;
  readonly steps: readonly ProviderStep[];
  /** What an abort does to a pending or later read. By default, the read fails. */
  readonly whenAborted?: 'fails' | 'goes-on';
  /** What `return()` does. `ends`, the default: it ends a pending read. `fails`: it rejects as well. `hangs`: it never resolves. */
  readonly whenReturned?: 'ends' | 'fails' | 'hangs';
}

export function yielding(...batch: ProviderEventBatch): ProviderStep {
  return { type: 'yield', batch };
}

/** One text block, with a batch for each piece. The first batch also starts the block, the last one ends it. */
export function textSteps(...pieces: readonly string[]): readonly ProviderStep[] {
  return pieces.map((delta, position) => yielding(
    ...(position === 0 ? [{ type: 'block-start', index: 0, block: { type: 'text' } } as const] : []),
    { type: 'block-delta', index: 0, delta },
    ...(position === pieces.length - 1 ? [{ type: 'block-end', index: 0, signature: null } as const] : []),
  ));
}

export function endStep(usage: ReportedUsage | null, stopReason: StopReason = 'end'): ProviderStep {
  return yielding({ type: 'provider-end', stopReason, usage });
}

/** Usage as an upstream reports it, without cached or thinking tokens. */
export function reported(promptTokens: number, outputTokens: number): ReportedUsage {
  return { ...NO_PROMPT_PARTS, promptTokens, outputTokens, reasoningTokens: 0, totalTokens: null };
}

const DONE: IteratorReturnResult<undefined> = { done: true, value: undefined };

function abortOf(signal: CancelSignal): Promise<void> {
  if (signal.aborted) return Promise.resolve();
  return new Promise((resolve) => {
    signal.addEventListener('abort', () => resolve());
  });
}

class ScriptedStream implements ProviderStream {
  reads = 0;
  returns = 0;
  #position = 0;
  #over = false;
  readonly #aborted: Promise<'aborted'>;
  readonly #returned: Promise<'returned'>;
  #answerReturn: () => void = () => undefined;

  constructor(private readonly script: ProviderScript, readonly call: ProviderCall) {
    this.#aborted = abortOf(call.signal).then(() => 'aborted');
    this.#returned = new Promise((resolve) => {
      this.#answerReturn = () => resolve('returned');
    });
  }

  get statedPrompt(): ReportedPrompt | null {
    return this.script.statedPrompt ?? null;
  }

  /** False after the end of the stream, a failure or `return()`. */
  get isOpen(): boolean {
    return !this.#over;
  }

  async next(): Promise<IteratorResult<ProviderEventBatch, undefined>> {
    this.reads += 1;
    for (;;) {
      if (this.#over) return DONE;
      this.#failIfAborted();
      const step = this.script.steps[this.#position];
      this.#position += 1;
      if (step === undefined) return this.#end();
      const result = await this.#play(step);
      if (result !== null) return result;
    }
  }

  async return(): Promise<IteratorResult<ProviderEventBatch, undefined>> {
    this.returns += 1;
    if (this.script.whenReturned === 'hangs') return new Promise(() => undefined);
    this.#over = true;
    this.#answerReturn();
    if (this.script.whenReturned === 'fails') throw new Error('return() fails as scripted');
    return DONE;
  }

  /** Plays a step. Returns `null` if the result depends on the next step. */
  async #play(step: ProviderStep): Promise<IteratorResult<ProviderEventBatch, undefined> | null> {
    switch (step.type) {
      case 'yield': return { done: false, value: step.batch };
      case 'fail': this.#over = true; throw step.failure;
      case 'wait': return this.#interrupted(step.gate.opened.then(() => 'opened' as const));
      case 'hang': return this.#interrupted(new Promise<never>(() => undefined));
    }
  }

  async #interrupted(wait: Promise<'opened'>): Promise<IteratorResult<ProviderEventBatch, undefined> | null> {
    const heeded = this.script.whenAborted === 'goes-on' ? [] : [this.#aborted];
    const first = await Promise.race([wait, this.#returned, ...heeded]);
    if (first === 'returned') return DONE;
    this.#failIfAborted();
    return null;
  }

  #failIfAborted(): void {
    if (!this.call.signal.aborted || this.script.whenAborted === 'goes-on') return;
    this.#over = true;
    throw new ProviderFailure('unavailable', 'the request was aborted');
  }

  #end(): IteratorReturnResult<undefined> {
    this.#over = true;
    return DONE;
  }
}

/** Answers requests by the script of their upstream model, and records them. */
export class ScriptedProvider implements ModelProvider {
  readonly calls: ProviderCall[] = [];
  readonly streams: ScriptedStream[] = [];
  readonly #scripts = new Map<string, ProviderScript>();

  /** Replaces the script of an upstream model. */
  script(upstreamModel: string, script: ProviderScript): void {
    this.#scripts.set(upstreamModel, script);
  }

  /** Number of accepted requests whose stream is open. */
  get openStreams(): number {
    return this.streams.filter(({ isOpen }) => isOpen).length;
  }

  async open(call: ProviderCall): Promise<ProviderStream> {
    this.calls.push(call);
    const script = this.#scripts.get(call.target.upstreamModel);
    if (script === undefined) throw new ProviderFailure('unavailable', 'no script says what this model does');
    if (script.opensAfter !== undefined) await Promise.race([script.opensAfter.opened, abortOf(call.signal)]);
    if (call.signal.aborted && script.whenAborted !== 'goes-on') throw new ProviderFailure('unavailable', 'the request was aborted');
    if (script.refuses !== undefined) throw script.refuses;
    const stream = new ScriptedStream(script, call);
    this.streams.push(stream);
    return stream;
  }
}
