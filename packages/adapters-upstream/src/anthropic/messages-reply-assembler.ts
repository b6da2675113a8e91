import { type JsonObject, type JsonValue, NO_PROMPT_PARTS, type ReportedPrompt, type ReportedUsage } from '@tollgate/core';
import { asList, asNumber, asObject, asText } from '../reply/json-values.js';
import { refuseError } from '../reply/error-replies.js';
import { type Finish, readFinish, STOPPED } from '../reply/finish-words.js';
import type { BlockWriter } from '../reply/block-writer.js';
import type { ReplyAssembler, ReplyState, ReplyTerms } from '../reply/reply-assembler.js';
import { UpstreamFailure } from '../upstream/upstream-failure.js';
import { ContentBlocks } from './content-blocks.js';

const PROMPT_COUNTS = ['input_tokens', 'cache_read_input_tokens', 'cache_creation_input_tokens'] as const;

/** Collects usage from several events. Figures are running totals, so the latest ones count. */
class UsageReport {
  readonly #prompt: Partial<Record<(typeof PROMPT_COUNTS)[number], number>> = {};
  #outputTokens: number | null = null;
  #thinkingTokens: number | null = null;

  /** Ignores the output count of the start event, which precedes any output. */
  readStart(value: JsonValue | undefined): void {
    this.#readPrompt(asObject(value));
  }

  read(value: JsonValue | undefined): void {
    const usage = asObject(value);
    this.#readPrompt(usage);
    this.#outputTokens = asNumber(usage?.['output_tokens']) ?? this.#outputTokens;
    this.#thinkingTokens = asNumber(asObject(usage?.['output_tokens_details'])?.['thinking_tokens']) ?? this.#thinkingTokens;
  }

  /** The prompt's tokens; `null` until an event states them. */
  get statedPrompt(): ReportedPrompt | null {
    const { input_tokens: input, cache_read_input_tokens: cached = 0, cache_creation_input_tokens: creation = 0 } = this.#prompt;
    if (input === undefined) return null;
    return { ...NO_PROMPT_PARTS, promptTokens: input + cached + creation, cachedPromptTokens: cached, cacheCreationTokens: creation };
  }

  /** The server's figures; `null` unless it has stated both prompt and output tokens. In this format the prompt's classes are disjoint. */
  get reported(): ReportedUsage | null {
    const prompt = this.statedPrompt;
    if (prompt === null || this.#outputTokens === null) return null;
    return {
      ...prompt,
      outputTokens: this.#outputTokens,
      reasoningTokens: this.#thinkingTokens,
      totalTokens: null,
    };
  }

  /** Ignores prompt counts that are all 0 once others were stated: some servers repeat the counts as 0 at the end. */
  #readPrompt(usage: JsonObject | null): void {
    const isEmpty = PROMPT_COUNTS.every((count) => (asNumber(usage?.[count]) ?? 0) === 0);
    if (isEmpty && this.#prompt.input_tokens !== undefined) return;
    for (const count of PROMPT_COUNTS) {
      const value = asNumber(usage?.[count]);
      if (value !== null) this.#prompt[count] = value;
    }
  }
}

/** Assembles the events of a stream, or a whole message. */
export class MessagesReplyAssembler implements ReplyAssembler {
  readonly #blocks: ContentBlocks;
  readonly #usage = new UsageReport();
  #finish: Finish | null = null;
  /** True once the text contained a stop sequence that the gateway enforces. */
  #stopped = false;
  #complete = false;

  constructor(private readonly writer: BlockWriter, terms: ReplyTerms) {
    this.#blocks = new ContentBlocks(writer, terms);
  }

  get state(): ReplyState {
    if (this.#complete) return 'complete';
    if (this.#stopped) return 'stopping';
    return this.#finish === null ? 'reading' : 'finished';
  }

  get statedPrompt(): ReportedPrompt | null {
    return this.#usage.statedPrompt;
  }

  /** Ignores pings and unknown events. */
  read(event: JsonObject): void {
    if ('error' in event || event['object'] === 'error') refuseError(event);
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
    const finish = this.#stopped ? STOPPED : this.#finish;
    if (finish === null) throw new UpstreamFailure('cut-off', 'the upstream ended its reply without a stop reason');
    if (!this.#stopped) this.#note(this.#blocks.finish());
    this.writer.finish(this.#stopped ? STOPPED : finish, this.#blocks.toolCallCount, this.#usage.reported);
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
    this.#finish = readFinish(said?.['stop_reason'], said) ?? this.#finish;
    const { reported } = this.#usage;
    if (reported !== null && this.state === 'reading') this.writer.report(reported);
  }

  #note(progress: 'goes-on' | 'stopped'): void {
    if (progress === 'stopped') this.#stopped = true;
  }
}

function indexOf(event: JsonObject): number {
  return asNumber(event['index']) ?? 0;
}
