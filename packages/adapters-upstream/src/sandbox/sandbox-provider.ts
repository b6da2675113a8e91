import {
  type CancelSignal, type Clock, type Instant, later, NO_PROMPT_PARTS, type ProviderCall, type ProviderEventBatch, type ProviderStream, type ReportedUsage, type TokenEstimator,
} from '@tollgate/core';
import { DEFAULT_TIMEOUTS } from '../http/default-options.js';
import type { UpstreamPorts, UpstreamProvider } from '../http/upstream-provider.js';
import { BlockWriter } from '../reply/block-writer.js';
import type { CallHealth } from '../reply/call-health.js';
import { UpstreamFailure } from '../upstream/upstream-failure.js';
import { LinearTokenEstimator } from '../estimator/token-estimator.js';
import { lastUserTurn, planReply } from './plan-reply.js';
import { type LimitedReply, limitReply } from './limit-reply.js';
import { refuseAsAsked } from './simulated-refusal.js';
import { Triggers } from './triggers.js';

export interface Pause {
  readonly clock: Clock;
  readonly signal: CancelSignal;
  readonly milliseconds: number;
  /** Ends the pause when it resolves, if that is earlier. */
  readonly endEarly?: Promise<void>;
}

/** Resolves after the time, when aborted, or when `endEarly` does. Leaves no timer or listener behind. */
async function pause({ clock, signal, milliseconds, endEarly }: Pause): Promise<void> {
  if (signal.aborted || milliseconds <= 0) return;
  let wake: () => void = () => undefined;
  const slept = new Promise<void>((resolve) => {
    wake = resolve;
  });
  const cancel = clock.schedule(milliseconds, wake);
  signal.addEventListener('abort', wake);
  await Promise.race(endEarly === undefined ? [slept] : [slept, endEarly]);
  cancel();
  signal.removeEventListener('abort', wake);
}

export interface SandboxScript {
  readonly batches: readonly ProviderEventBatch[];
  /** Pause before each batch except the first. */
  readonly paceMilliseconds: number;
  readonly endsAt: Instant;
  /** Failure that ends the stream after the batches; `null` if it ends normally. */
  readonly failure: UpstreamFailure | null;
  readonly health: CallHealth;
}

const DONE: IteratorReturnResult<undefined> = { done: true, value: undefined };

/** Plays prepared batches at their pace. */
class SandboxStream implements ProviderStream {
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
    const { batches, endsAt, failure, health } = this.script;
    if (this.clock.now() >= endsAt) return this.#end(new UpstreamFailure('too-long-running', 'the sandbox was asked to take longer than a generation may take'));
    const batch = batches[this.#position];
    if (batch === undefined) return this.#end(failure);
    this.#position += 1;
    if (this.#position === 1) health.answered();
    return { done: false, value: batch };
  }

  #end(failure: UpstreamFailure | null): IteratorReturnResult<undefined> {
    this.#closed = true;
    if (failure === null) return DONE;
    this.script.health.failed(failure);
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
    await pause({ clock: this.clock, signal: this.signal, milliseconds: Math.min(this.script.paceMilliseconds, this.script.endsAt - this.clock.now()), endEarly: closed });
  }
}

const MAX_PAUSE_MILLISECONDS = 10 * 60_000;

/** Serves models with simulated replies, which say that they are simulated. `[[triggers]]` in the last message control them. */
export class SandboxProvider implements UpstreamProvider {
  readonly #estimator: TokenEstimator = new LinearTokenEstimator();

  constructor(private readonly ports: UpstreamPorts) {}

  async open(call: ProviderCall, health: CallHealth): Promise<ProviderStream> {
    const { clock, ids } = this.ports;
    const endsAt = later(clock.now(), DEFAULT_TIMEOUTS.wholeMilliseconds);
    const triggers = triggersOf(call);
    await pause({ clock, signal: call.signal, milliseconds: triggers.count('latency', MAX_PAUSE_MILLISECONDS) ?? 0 });
    if (call.signal.aborted) throw new UpstreamFailure('cancelled', 'the call was cancelled', call.signal.reason);
    refuseAsAsked(call, triggers);
    const planned = planReply(call, triggers, () => ids.responseId('call_'));
    const reply = limitReply(planned, call.request.stopSequences, call.maxOutputTokens);
    const batches = batchesOf(reply, this.#usageOf(call, reply, triggers));
    const failsMidway = triggers.value('fail') === 'middle';
    const played = failsMidway ? batches.slice(0, batches.length / 2) : batches;
    return new SandboxStream({
      batches: call.delivery === 'whole' && played.length > 0 ? [played.flat()] : played,
      paceMilliseconds: triggers.count('pace', MAX_PAUSE_MILLISECONDS) ?? 0,
      endsAt,
      failure: failsMidway ? new UpstreamFailure('cut-off', 'the sandbox was asked to fail in the middle of its output') : null,
      health,
    }, clock, call.signal);
  }

  close(): Promise<void> {
    return Promise.resolve();
  }

  #usageOf({ request }: ProviderCall, reply: LimitedReply, triggers: Triggers): ReportedUsage | null {
    if (triggers.value('usage') === 'missing') return null;
    const { outputSchema } = request;
    const promptTokens = this.#estimator.estimatePrompt(request) + (outputSchema === null ? 0 : this.#estimator.estimateSchema(outputSchema));
    return {
      ...NO_PROMPT_PARTS,
      promptTokens,
      cachedPromptTokens: triggers.count('cached', promptTokens) ?? 0,
      outputTokens: reply.outputTokens,
      reasoningTokens: reply.reasoningTokens,
      totalTokens: promptTokens + reply.outputTokens,
    };
  }
}

/** Triggers in the text of the last message; a tool result that quotes a trigger has no effect. */
function triggersOf({ request }: ProviderCall): Triggers {
  const blocks = lastUserTurn(request)?.content ?? [];
  return new Triggers(blocks.filter((block) => block.type === 'text').map(({ text }) => text).join('\n'));
}

/** Splits the reply into one batch per token, and one for the end. */
function batchesOf({ blocks, stopReason }: LimitedReply, usage: ReportedUsage | null): readonly ProviderEventBatch[] {
  const writer = new BlockWriter();
  const batches: ProviderEventBatch[] = [];
  for (const { opening, pieces } of blocks) {
    writer.open(opening);
    for (const piece of pieces) {
      writer.write(piece);
      batches.push(writer.take());
    }
  }
  writer.end(stopReason, usage);
  batches.push(writer.take());
  return batches;
}
