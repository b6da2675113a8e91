import type { JsonObject, ReportedUsage } from '@tollgate/core';
import { asList, asObject, asText } from '../json-access.js';
import { UpstreamFailure } from '../upstream-failure.js';
import type { BlockWriter } from './block-writer.js';
import { decodeFinishReason } from './decode-finish-reason.js';
import { decodeUsage } from './decode-usage.js';
import { failureOfErrorObject } from './decode-failure.js';
import { StopSequenceCutter } from './stop-sequence-cutter.js';
import { textOfContent } from './text-content.js';
import { ToolCallAssembler } from './tool-call-assembler.js';
import { decodeToolCallFragment } from './tool-call-fragment.js';

export interface ReplyTerms {
  readonly newToolCallId: () => string;
  /** Stop sequences that the server was not told of. */
  readonly localStopSequences: readonly string[];
}

interface LatePiece {
  readonly type: 'thinking' | 'text';
  text: string;
}

/** Makes provider events of the chunks of a stream, or of a whole completion, which is read as one large chunk. */
export class ChatReplyAssembler {
  readonly #toolCalls: ToolCallAssembler;
  readonly #cutter: StopSequenceCutter | null;
  /** What came after the first tool call waits for the end of all calls. */
  readonly #latePieces: LatePiece[] = [];
  #finishReason: string | null = null;
  #usage: ReportedUsage | null = null;
  #ended = false;

  constructor(private readonly writer: BlockWriter, { newToolCallId, localStopSequences }: ReplyTerms) {
    this.#toolCalls = new ToolCallAssembler(writer, newToolCallId);
    this.#cutter = localStopSequences.length === 0 ? null : new StopSequenceCutter(localStopSequences);
  }

  /** Whether the reply's end has been written. */
  get ended(): boolean {
    return this.#ended;
  }

  /** Whether the server has said why it stopped: what follows can only be the usage. */
  get finished(): boolean {
    return this.#finishReason !== null;
  }

  /** Reads a chunk or a completion. Throws `UpstreamFailure` when it is an error. */
  read(chunk: JsonObject): void {
    const failure = failureOfErrorObject(chunk);
    if (failure !== null) throw failure;
    this.#usage = decodeUsage(chunk['usage']) ?? this.#usage;
    const choice = asObject(asList(chunk['choices'])[0]);
    if (choice === null) return;
    const delta = asObject(choice['delta']) ?? asObject(choice['message']);
    if (delta !== null) this.#readDelta(delta);
    this.#finishReason = asText(choice['finish_reason']) ?? this.#finishReason;
  }

  /** Ends the reply. Throws `UpstreamFailure` when the server never said that it was finished. */
  end(): void {
    if (this.#ended) return;
    if (this.#finishReason === null) throw new UpstreamFailure('cut-off', 'the upstream ended its reply without a finish reason');
    this.#writeText(this.#cutter?.flush() ?? '');
    this.#writeEnd(this.#finishReason, this.#usage);
  }

  /** One delta may hold all three, in this order. */
  #readDelta(delta: JsonObject): void {
    const reasoning = asText(delta['reasoning_content']) ?? asText(delta['reasoning']) ?? '';
    if (reasoning !== '') this.#writeThinking(reasoning);
    const text = textOfContent(delta['content']);
    if (text !== '') this.#readText(text);
    if (this.#ended) return;
    for (const [position, value] of asList(delta['tool_calls']).entries()) {
      const fragment = decodeToolCallFragment(value, position);
      if (fragment !== null) this.#toolCalls.add(fragment);
    }
  }

  #readText(text: string): void {
    if (this.#cutter === null) {
      this.#writeText(text);
      return;
    }
    const cut = this.#cutter.push(text);
    this.#writeText(cut.text);
    // The server is not going to tell what it used: it is cut off in the middle of its reply.
    if (cut.stopped) this.#writeEnd('stop', null);
  }

  #writeThinking(reasoning: string): void {
    this.#writeText(this.#cutter?.flush() ?? '');
    this.#writePiece('thinking', reasoning);
  }

  #writeText(text: string): void {
    if (text !== '') this.#writePiece('text', text);
  }

  #writePiece(type: LatePiece['type'], text: string): void {
    if (this.#toolCalls.count === 0) {
      this.writer.append(type, text);
      return;
    }
    const last = this.#latePieces.at(-1);
    if (last?.type === type) last.text += text;
    else this.#latePieces.push({ type, text });
  }

  #writeEnd(finishReason: string, usage: ReportedUsage | null): void {
    this.#toolCalls.finish();
    for (const { type, text } of this.#latePieces) {
      // Models often close their tool calls with a line end, which says nothing.
      if (text.trim() !== '') this.writer.append(type, text);
    }
    this.writer.end(decodeFinishReason(finishReason, this.#toolCalls.count), usage);
    this.#ended = true;
  }
}
