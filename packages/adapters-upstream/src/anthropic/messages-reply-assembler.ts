import type { JsonObject, JsonValue, ReportedPrompt } from '@tollgate/core';
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

/** What a reply ends with at a stop sequence of the gateway's own. */
const STOPPED = 'end_turn';

/** Makes provider events of the events of a messages stream, or of a whole message. */
export class MessagesReplyAssembler implements ReplyAssembler {
  readonly #blocks: ContentBlocks;
  readonly #usage = new UsageReport();
  #stopReason: string | null = null;
  /** A stop sequence of the gateway's own has ended the text. */
  #stopped = false;
  #complete = false;

  constructor(private readonly writer: BlockWriter, terms: ReplyTerms) {
    this.#blocks = new ContentBlocks(writer, terms);
  }

  get state(): ReplyState {
    if (this.#complete) return 'complete';
    if (this.#stopped) return 'stopping';
    return this.#stopReason === null ? 'reading' : 'finished';
  }

  get statedPrompt(): ReportedPrompt | null {
    return this.#usage.statedPrompt;
  }

  /** Pings and events that nobody knows are passed over. */
  read(event: JsonObject): void {
    const failure = failureOfErrorObject(event);
    if (failure !== null) throw failure;
    const type = asText(event['type']) ?? '';
    if (this.#stopped && type.startsWith('content_block')) return;
    switch (type) {
      case 'message_start': return this.#usage.readStart(asObject(event['message'])?.['usage']);
      case 'content_block_start': return this.#startBlock(indexOf(event), event['content_block']);
      case 'content_block_delta': return this.#note(this.#blocks.add(indexOf(event), asObject(event['delta']) ?? {}));
      case 'content_block_stop': return this.#note(this.#blocks.stop(indexOf(event)));
      case 'message_delta': return this.#readEnding(asObject(event['delta']), event['usage']);
      case 'message_stop': return this.end();
      case 'message': return this.#readMessage(event);
      default:
    }
  }

  end(): void {
    if (this.#complete) return;
    if (!this.#stopped && this.#stopReason === null) throw new UpstreamFailure('cut-off', 'the upstream ended its reply without a stop reason');
    if (!this.#stopped) this.#note(this.#blocks.finish());
    const stopReason = this.#stopped ? STOPPED : this.#stopReason ?? STOPPED;
    this.writer.end(decodeStopReason(stopReason, STOP_REASONS, this.#blocks.toolCallCount), this.#usage.reported);
    this.#complete = true;
  }

  #readMessage(message: JsonObject): void {
    for (const [index, block] of asList(message['content']).entries()) {
      this.#startBlock(index, block);
      if (this.#stopped) break;
    }
    this.#readEnding(message, message['usage']);
  }

  #startBlock(index: number, block: JsonValue | undefined): void {
    this.#note(this.#blocks.start(index, asObject(block) ?? {}));
  }

  #readEnding(said: JsonObject | null, usage: JsonValue | undefined): void {
    this.#usage.read(usage);
    this.#stopReason = asText(said?.['stop_reason']) ?? this.#stopReason;
  }

  #note(progress: 'goes-on' | 'stopped'): void {
    if (progress === 'stopped') this.#stopped = true;
  }
}

function indexOf(event: JsonObject): number {
  return asNumber(event['index']) ?? 0;
}
