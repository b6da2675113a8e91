import type { ProviderCall, ProviderEventBatch, ProviderStream, ReportedUsage, TokenEstimator } from '@tollgate/core';
import { LinearTokenEstimator } from '../estimator/linear-token-estimator.js';
import { BlockWriter } from '../reply/block-writer.js';
import type { CallHealth } from '../routing/circuit/circuit.js';
import type { UpstreamPorts, UpstreamProvider } from '../routing/upstream-provider.js';
import { UpstreamFailure } from '../upstream-failure.js';
import { type LimitedReply, limitReply } from './limit-reply.js';
import { pause } from './pause.js';
import { lastUserTurn, planReply } from './plan-reply.js';
import { refuseAsAsked } from './refusals.js';
import { SandboxStream } from './sandbox-stream.js';
import { Triggers } from './triggers.js';

const MAX_PAUSE_MILLISECONDS = 10 * 60_000;

/** Models that make up their replies, say so, and do what `[[triggers]]` in the last message ask for. */
export class SandboxProvider implements UpstreamProvider {
  readonly #estimator: TokenEstimator = new LinearTokenEstimator();

  constructor(private readonly ports: UpstreamPorts) {}

  async open(call: ProviderCall, health: CallHealth): Promise<ProviderStream> {
    const { clock, ids } = this.ports;
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
      failure: failsMidway ? new UpstreamFailure('cut-off', 'the sandbox was asked to fail in the middle of its output') : null,
      health,
    }, clock, call.signal);
  }

  close(): Promise<void> {
    return Promise.resolve();
  }

  #usageOf({ request }: ProviderCall, reply: LimitedReply, triggers: Triggers): ReportedUsage | null {
    if (triggers.value('usage') === 'missing') return null;
    const promptTokens = this.#estimator.estimatePrompt(request);
    return {
      promptTokens,
      cachedPromptTokens: triggers.count('cached', promptTokens) ?? 0,
      cacheCreationTokens: 0,
      outputTokens: reply.outputTokens,
      reasoningTokens: reply.reasoningTokens,
      totalTokens: promptTokens + reply.outputTokens,
    };
  }
}

/** Only text counts: a tool's result that quotes a trigger asks for nothing. */
function triggersOf({ request }: ProviderCall): Triggers {
  const blocks = lastUserTurn(request)?.content ?? [];
  return new Triggers(blocks.filter((block) => block.type === 'text').map(({ text }) => text).join('\n'));
}

/** One batch for each token, and one for the end. */
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
