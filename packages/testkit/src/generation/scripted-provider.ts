import {
  type CancelSignal, type ModelProvider, type ProviderCall, type ProviderEventBatch, ProviderFailure, type ProviderStream, type ReportedPrompt,
} from '@tollgate/core';
import type { ProviderScript, ProviderStep } from './provider-script.js';

const DONE: IteratorReturnResult<undefined> = { done: true, value: undefined };

/** Resolves when the signal is aborted. */
function abortOf(signal: CancelSignal): Promise<void> {
  if (signal.aborted) return Promise.resolve();
  return new Promise((resolve) => {
    signal.addEventListener('abort', () => resolve());
  });
}

/** One upstream that has accepted a request and follows its script. */
export class ScriptedStream implements ProviderStream {
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

  /** Whether the upstream is still there: neither at its end, nor failed, nor returned. */
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
    if (this.script.whenReturned === 'fails') throw new Error('the upstream could not be let go');
    return DONE;
  }

  /** What the step leads to; `null` when the next step decides. */
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

/** A provider in memory that does what the script of each upstream model says, and remembers what it was asked. */
export class ScriptedProvider implements ModelProvider {
  readonly calls: ProviderCall[] = [];
  readonly streams: ScriptedStream[] = [];
  readonly #scripts = new Map<string, ProviderScript>();

  /** From now on the model of this name at the upstream follows this script. */
  script(upstreamModel: string, script: ProviderScript): void {
    this.#scripts.set(upstreamModel, script);
  }

  /** How many accepted requests are neither at their end nor let go. */
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
