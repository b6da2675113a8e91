import type { JsonObject, JsonValue } from '@tollgate/core';
import { failureOfErrorObject } from '../http/decode-failure.js';
import { asList, asNumber, asObject, asText } from '../json-access.js';
import type { BlockWriter } from '../reply/block-writer.js';
import { decodeStopReason } from '../reply/decode-stop-reason.js';
import type { ReplyAssembler, ReplyTerms } from '../reply/reply-assembler.js';
import type { ReplyState } from '../reply/reply-reader.js';
import { UpstreamFailure } from '../upstream-failure.js';
import { ContentBlocks } from './content-blocks.js';
import { STOP_REASONS } from './stop-reasons.js';
import { UsageReport } from './usage-report.js';

/** Makes provider events of the events of a messages stream, or of a whole message. */
export class MessagesReplyAssembler implements ReplyAssembler {
  readonly #blocks: ContentBlocks;
  readonly #usage = new UsageReport();
  #stopReason: string | null = null;
  #ending: 'complete' | 'stopped' | null = null;

  constructor(private readonly writer: BlockWriter, terms: ReplyTerms) {
    this.#blocks = new ContentBlocks(writer, terms);
  }

  get state(): ReplyState {
    return this.#ending ?? (this.#stopReason === null ? 'reading' : 'finished');
  }

  /** Pings and events that nobody knows are passed over. */
  read(event: JsonObject): void {
    const failure = failureOfErrorObject(event);
    if (failure !== null) throw failure;
    switch (asText(event['type']) ?? '') {
      case 'message_start': return this.#usage.readStart(asObject(event['message'])?.['usage']);
      case 'content_block_start': return this.#startBlock(indexOf(event), event['content_block']);
      case 'content_block_delta': return this.#endWhen(this.#blocks.add(indexOf(event), asObject(event['delta']) ?? {}));
      case 'content_block_stop': return this.#endWhen(this.#blocks.stop(indexOf(event)));
      case 'message_delta': return this.#readEnding(asObject(event['delta']), event['usage']);
      case 'message_stop': return this.end();
      case 'message': return this.#readMessage(event);
      default:
    }
  }

  end(): void {
    if (this.#ending !== null) return;
    if (this.#stopReason === null) throw new UpstreamFailure('cut-off', 'the upstream ended its reply without a stop reason');
    this.#endWhen(this.#blocks.finish());
    if (this.#ending !== null) return;
    this.writer.end(decodeStopReason(this.#stopReason, STOP_REASONS, this.#blocks.toolCallCount), this.#usage.reported);
    this.#ending = 'complete';
  }

  #readMessage(message: JsonObject): void {
    for (const [index, block] of asList(message['content']).entries()) {
      this.#startBlock(index, block);
      if (this.#ending !== null) return;
    }
    this.#readEnding(message, message['usage']);
  }

  #startBlock(index: number, block: JsonValue | undefined): void {
    this.#endWhen(this.#blocks.start(index, asObject(block) ?? {}));
  }

  #readEnding(said: JsonObject | null, usage: JsonValue | undefined): void {
    this.#usage.read(usage);
    this.#stopReason = asText(said?.['stop_reason']) ?? this.#stopReason;
  }

  /** At a stop sequence of the gateway's own the server is cut off, and is not going to tell what it used. */
  #endWhen(progress: 'goes-on' | 'stopped'): void {
    if (progress === 'goes-on') return;
    this.writer.end(decodeStopReason('end_turn', STOP_REASONS, this.#blocks.toolCallCount), null);
    this.#ending = 'stopped';
  }
}

function indexOf(event: JsonObject): number {
  return asNumber(event['index']) ?? 0;
}
