import type { JsonObject, JsonValue, ReportedPrompt, ReportedUsage } from '@tollgate/core';
import { asList, asObject, asText } from '../reply/json-values.js';
import { refuseError } from '../reply/error-replies.js';
import { type Finish, readFinish, STOPPED } from '../reply/finish-words.js';
import type { BlockWriter } from '../reply/block-writer.js';
import type { ReplyAssembler, ReplyState, ReplyTerms } from '../reply/reply-assembler.js';
import { readUsage } from '../reply/reported-usage.js';
import { GuardedText } from '../reply/stop-sequences.js';
import { UpstreamFailure } from '../upstream/upstream-failure.js';
import { piecesOf, textIn } from './content-pieces.js';
import { OpaqueFields } from './opaque-fields.js';
import { decodeToolCallFragment } from './tool-call-fragment.js';
import { ToolCallAssembler } from './tool-call-assembler.js';

interface LatePiece {
  readonly type: 'thinking' | 'text' | 'refusal';
  text: string;
}

/** Assembles the chunks of a stream, or a whole completion, which is read as one chunk. */
export class ChatReplyAssembler implements ReplyAssembler {
  /** Always `null`, because this format states the prompt only within the whole usage. */
  readonly statedPrompt: ReportedPrompt | null = null;
  #toolCalls: ToolCallAssembler | null = null;
  readonly #text: GuardedText;
  readonly #opaque = new OpaqueFields();
  /** Pieces that arrived after the first tool call; they wait for the end of all calls. */
  readonly #latePieces: LatePiece[] = [];
  #finish: Finish | null = null;
  #usage: ReportedUsage | null = null;
  /** True once the text contained a stop sequence that the gateway enforces. */
  #stopped = false;
  #complete = false;

  constructor(private readonly writer: BlockWriter, private readonly terms: ReplyTerms) {
    this.#text = new GuardedText(terms.localStopSequences, (text) => this.#writeText(text));
  }

  /** `finished` after a finish reason: only the usage may follow it. */
  get state(): ReplyState {
    if (this.#complete) return 'complete';
    if (this.#stopped) return 'stopping';
    return this.#finish === null ? 'reading' : 'finished';
  }

  /** Throws `UpstreamFailure` if the chunk reports an error. */
  read(chunk: JsonObject): void {
    if ('error' in chunk || chunk['object'] === 'error') refuseError(chunk);
    const choice = ourChoice(asList(chunk['choices']));
    const usage = readUsage(usageIn(chunk, choice), this.terms.modelReasons);
    this.#usage = usage ?? this.#usage;
    if (this.#stopped) return;
    this.#readChoice(choice);
    if (usage !== null && this.state === 'reading') this.writer.report(usage);
  }

  #readChoice(choice: JsonObject | null): void {
    if (choice === null) return;
    const delta = asObject(choice['delta']) ?? asObject(choice['message']);
    if (delta !== null) this.#readDelta(delta, 'delta' in choice);
    this.#finish = readFinish(choice['finish_reason'], choice) ?? this.#finish;
  }

  /** Throws `UpstreamFailure` if there was no finish reason. */
  end(): void {
    if (this.#complete) return;
    const finish = this.#stopped ? STOPPED : this.#finish;
    if (finish === null) throw new UpstreamFailure('cut-off', 'the upstream ended its reply without a finish reason');
    if (!this.#stopped) this.#text.flush();
    this.#writeEnd(finish, this.#usage);
    this.#complete = true;
  }

  /** Reads the delta's reasoning, text, refusal and tool calls, in this order. */
  #readDelta(delta: JsonObject, isDelta: boolean): void {
    this.#writeApart('thinking', textIn(delta['reasoning_content']) || textIn(delta['reasoning']));
    this.#opaque.read(delta, isDelta);
    this.#readContent(delta['content']);
    if (this.#stopped) return;
    this.#writeApart('refusal', asText(delta['refusal']) ?? '');
    if (delta['tool_calls'] !== undefined) this.#readToolCalls(callsIn(delta['tool_calls']));
  }

  #readContent(content: JsonValue | undefined): void {
    if (typeof content === 'string') {
      this.#readText(content);
      return;
    }
    for (const { type, text } of piecesOf(content)) {
      if (this.#stopped) return;
      if (type === 'text') this.#readText(text);
      else this.#writeApart(type, text);
    }
  }

  #readText(text: string): void {
    if (text !== '' && this.#text.push(text) === 'stopped') this.#stopped = true;
  }

  #readToolCalls(values: readonly JsonValue[]): void {
    for (const [position, value] of values.entries()) {
      const fragment = decodeToolCallFragment(value, position);
      if (fragment === null) continue;
      if (this.#toolCalls === null) this.#opaque.writeAll(this.writer);
      this.#toolCalls ??= new ToolCallAssembler(this.writer, this.terms.newToolCallId);
      this.#toolCalls.add(fragment);
    }
  }

  #writeApart(type: 'thinking' | 'refusal', piece: string): void {
    if (piece === '') return;
    this.#text.flush();
    this.#writePiece(type, piece);
  }

  #writeText(text: string): void {
    if (text !== '') this.#writePiece('text', text);
  }

  #writePiece(type: LatePiece['type'], text: string): void {
    if (this.#toolCalls === null) {
      if (type === 'text') this.#opaque.writeDetails(this.writer);
      this.writer.append(type, text);
      return;
    }
    this.writer.count(text);
    const last = this.#latePieces.at(-1);
    if (last?.type === type) last.text += text;
    else this.#latePieces.push({ type, text });
  }

  #writeEnd(finish: Finish, usage: ReportedUsage | null): void {
    this.#toolCalls?.finish();
    for (const { type, text } of this.#latePieces) {
      // Blank text after tool calls is dropped: models often end calls with a line break.
      if (text.trim() !== '') this.writer.append(type, text);
    }
    this.#opaque.writeAll(this.writer);
    this.writer.finish(finish, this.#toolCalls?.count ?? 0, usage);
  }
}

/** The choice of index 0, or the only choice without an index. */
function ourChoice(choices: readonly JsonValue[]): JsonObject | null {
  for (const value of choices) {
    const choice = asObject(value);
    if (choice !== null && (choice['index'] ?? 0) === 0) return choice;
  }
  return null;
}

/** The list of calls; older versions of Text Generation Inference stream one call instead of a list. */
function callsIn(value: JsonValue): readonly JsonValue[] {
  return asObject(value) === null ? asList(value) : [value];
}

/** The usage of a chunk. Groq states it in its own field `x_groq`, Moonshot within the choice. */
function usageIn(chunk: JsonObject, choice: JsonObject | null): JsonValue | undefined {
  return chunk['usage'] ?? asObject(chunk['x_groq'])?.['usage'] ?? choice?.['usage'];
}
