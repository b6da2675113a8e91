import type { JsonObject, JsonValue, ReportedPrompt, ReportedUsage } from '@tollgate/core';
import { ContentBlocks } from '../anthropic/content-blocks.js';
import { argumentsTextOf } from '../openai/tool-call-fragment.js';
import { refuseError } from '../reply/error-replies.js';
import { type Finish, readFinish, STOPPED } from '../reply/finish-words.js';
import type { BlockWriter } from '../reply/block-writer.js';
import type { ReplyAssembler, ReplyState, ReplyTerms } from '../reply/reply-assembler.js';
import { asList, asNumber, asObject, asText } from '../reply/json-values.js';
import { readUsage } from '../reply/reported-usage.js';
import { UpstreamFailure } from '../upstream/upstream-failure.js';
import { ItemIndexes } from './item-indexes.js';

/** Statuses of an unfinished response; a whole reply that was aborted may still have one. */
const UNFINISHED: ReadonlySet<string> = new Set(['queued', 'in_progress']);

interface OpenItem {
  readonly type: string;
  /** True if deltas arrived, which the final event repeats. */
  hasPieces: boolean;
  /** Event type of the reasoning that counts. Reasoning arrives as a summary, in full, or as both; the type that arrives first counts. */
  source: string | null;
  /** Index of the part with the latest piece. */
  part: number;
  /** True if the latest piece belongs to a refusal. */
  refuses: boolean;
  /** True after the item's final event. */
  isDone: boolean;
}

const REFUSAL_DELTA = 'response.refusal.delta';

/** Types of events with a piece of an item. */
const PIECES: ReadonlySet<string> = new Set([
  'response.output_text.delta', REFUSAL_DELTA, 'response.reasoning_summary_text.delta', 'response.reasoning_text.delta',
  'response.function_call_arguments.delta',
]);

/** Prefix of the types of events that carry a response. */
const LIFECYCLE = 'response.';

/** Separates the parts of a summary. */
const PART_BREAK = '\n\n';

/** Assembles the events of a stream, or a whole response. */
export class ResponsesReplyAssembler implements ReplyAssembler {
  /** Always `null`, because this format states the prompt only within the whole usage. */
  readonly statedPrompt: ReportedPrompt | null = null;
  readonly #blocks: ContentBlocks;
  readonly #items = new Map<number, OpenItem>();
  readonly #indexes = new ItemIndexes();
  /** True once the text contained a stop sequence that the gateway enforces. */
  #stopped = false;
  #complete = false;

  constructor(private readonly writer: BlockWriter, private readonly terms: ReplyTerms) {
    this.#blocks = new ContentBlocks(writer, terms);
  }

  get state(): ReplyState {
    if (this.#complete) return 'complete';
    return this.#stopped ? 'stopping' : 'reading';
  }

  /** Reads an event; ignores the types that it does not use. */
  read(event: JsonObject): void {
    if (event['object'] === 'response') {
      this.#finish(event);
      return;
    }
    const type = asText(event['type']) ?? '';
    if (type === 'error') refuseError({ ...event, object: 'error' });
    else if ('error' in event || event['object'] === 'error') refuseError(event);
    switch (type) {
      case 'response.output_item.added': return this.#startItem(this.#indexes.begin(event), asObject(event['item']) ?? {});
      case 'response.output_item.done': return this.#readDone(event);
      case 'response.in_progress': return this.#readProgress(asObject(event['response']) ?? {});
      case 'response.completed':
      case 'response.incomplete':
      case 'response.cancelled':
      case 'response.failed': return this.#finish(asObject(event['response']) ?? {}, type.slice(LIFECYCLE.length));
      default: if (PIECES.has(type)) this.#readPiece(type, event);
    }
  }

  /** True if the event repeats the request, or earlier events as those at the end of each part, item and reply do. */
  repeats(event: JsonObject): boolean {
    const type = asText(event['type']) ?? '';
    if (PIECES.has(type) || type === 'response.output_item.added') return false;
    if (type !== 'response.output_item.done') return this.#items.size > 0 || asList((asObject(event['response']) ?? event)['output']).length === 0;
    const item = this.#items.get(this.#indexes.find(event) ?? this.#indexes.latest);
    // Encrypted reasoning comes only at the end of its item.
    return item !== undefined && item.type !== 'reasoning' && (item.hasPieces || FIELDS[item.type] === undefined);
  }

  #readProgress({ usage: stated }: JsonObject): void {
    const usage = readUsage(stated, this.terms.modelReasons);
    if (usage !== null && this.state === 'reading') this.writer.report(usage);
  }

  end(): void {
    if (this.#complete) return;
    if (!this.#stopped) throw new UpstreamFailure('cut-off', 'the upstream ended its reply without its final event');
    this.#writeEnd(STOPPED, null);
  }

  /** Reads the end of an item; some servers send no other event of it. */
  #readDone(event: JsonObject): void {
    const { latest } = this.#indexes;
    const index = this.#indexes.find(event) ?? (this.#items.get(latest)?.isDone === false ? latest : this.#indexes.begin(event));
    this.#endItem(index, asObject(event['item']) ?? {});
  }

  #startItem(index: number, item: JsonObject): void {
    if (this.#stopped) return;
    const type = asText(item['type']) ?? '';
    this.#items.set(index, { type, hasPieces: false, source: null, part: 0, refuses: false, isDone: false });
    const opening = openingOf(type, item);
    if (opening !== null) this.#note(this.#blocks.start(index, opening));
  }

  #readPiece(type: string, event: JsonObject): void {
    const index = this.#indexes.find(event) ?? this.#indexes.latest;
    const item = this.#items.get(index);
    if (item === undefined) throw new UpstreamFailure('malformed-reply', 'the upstream sent a delta for an item that is not open');
    if (item.type === 'reasoning' && (item.source ??= type) !== type) return;
    const part = asNumber(event['summary_index']) ?? 0;
    const separator = item.hasPieces && part > item.part ? PART_BREAK : '';
    item.part = part;
    item.hasPieces = true;
    this.#write(index, item, { text: separator + (asText(event['delta']) ?? ''), isRefusal: type === REFUSAL_DELTA });
  }

  /** Ends an item. Reads its text from the final item only if there were no deltas, because the item repeats them. */
  #endItem(index: number, item: JsonObject): void {
    if (this.#stopped) return;
    const known = this.#items.get(index);
    if (known === undefined) {
      this.#startItem(index, item);
      this.#endItem(index, item);
      return;
    }
    known.isDone = true;
    if (!known.hasPieces) for (const piece of contentOf(known.type, item)) this.#write(index, known, piece);
    if (this.#stopped) return;
    const encrypted = known.type === 'reasoning' ? asText(item['encrypted_content']) : null;
    if (encrypted !== null) this.#note(this.#blocks.add(index, { encrypted_content: encrypted }));
    this.#note(this.#blocks.stop(index));
  }

  /** Writes a piece; a message may alternate text and refusals. */
  #write(index: number, item: OpenItem, { text, isRefusal }: Piece): void {
    const field = FIELDS[item.type];
    if (this.#stopped || text === '' || field === undefined) return;
    if (item.refuses !== isRefusal) this.#note(this.#blocks.start(index, { type: isRefusal ? 'refusal' : 'text' }));
    item.refuses = isRefusal;
    this.#note(this.#blocks.add(index, { [field]: text }));
  }

  /** Ends the reply. `named` is the status in the event's type; a whole reply has no event type. */
  #finish(response: JsonObject, named?: string): void {
    const finish = finishOf(response, named);
    if (this.#items.size === 0) this.#readOutput(response);
    this.#writeEnd(this.#stopped ? STOPPED : finish, readUsage(response['usage'], this.terms.modelReasons));
  }

  /** Reads the output of a whole reply, or of a stream without item events: some servers stream only the whole response. */
  #readOutput(response: JsonObject): void {
    for (const [index, value] of asList(response['output']).entries()) {
      const item = asObject(value) ?? {};
      this.#startItem(index, item);
      this.#endItem(index, item);
    }
  }

  #writeEnd(finish: Finish, usage: ReportedUsage | null): void {
    if (!this.#stopped) this.#note(this.#blocks.finish());
    this.writer.finish(this.#stopped ? STOPPED : finish, this.#blocks.toolCallCount, usage);
    this.#complete = true;
  }

  #note(progress: 'goes-on' | 'stopped'): void {
    if (progress === 'stopped') this.#stopped = true;
  }
}

/**
 * The finish of a response. For an incomplete response, its reason counts, which is more specific than its status. Throws `UpstreamFailure` for a
 * failed or unfinished response.
 */
function finishOf(response: JsonObject, named?: string): Finish {
  const stated = asText(response['status']);
  const status = named === 'failed' || stated === null || UNFINISHED.has(stated) ? named : stated;
  const finish = readFinish(status, response);
  if (finish === null) throw new UpstreamFailure('cut-off', 'the upstream sent an unfinished response');
  return readFinish(asObject(response['incomplete_details'])?.['reason'], null) ?? finish;
}

/** The field with a piece of an item, by item type. */
const FIELDS: Readonly<Record<string, string>> = { message: 'text', reasoning: 'thinking', function_call: 'partial_json' };

/** The block that an item opens; `null` for items of tools that the server runs. */
function openingOf(type: string, item: JsonObject): JsonObject | null {
  switch (type) {
    case 'message': return { type: 'text' };
    case 'reasoning': return { type: 'thinking' };
    case 'function_call': return { type: 'tool_use', id: asText(item['call_id']), name: asText(item['name']) };
    default: return null;
  }
}

interface Piece {
  readonly text: string;
  readonly isRefusal: boolean;
}

function contentOf(type: string, item: JsonObject): readonly Piece[] {
  if (type === 'message') return piecesIn(item['content']);
  const text = type === 'function_call' ? argumentsTextOf(item['arguments']) : reasoningIn(item);
  return [{ text, isRefusal: false }];
}

function reasoningIn({ summary, content }: JsonObject): string {
  const parts = piecesIn(summary).map(({ text }) => text);
  return parts.length > 0 ? parts.join(PART_BREAK) : piecesIn(content).map(({ text }) => text).join('');
}

/** The pieces of an item's parts, refusals included; a string is one part. */
function piecesIn(parts: JsonValue | undefined): readonly Piece[] {
  if (typeof parts === 'string') return [{ text: parts, isRefusal: false }];
  return asList(parts).map((part) => {
    const text = asText(asObject(part)?.['text']);
    return { text: text ?? asText(asObject(part)?.['refusal']) ?? '', isRefusal: text === null };
  }).filter(({ text }) => text !== '');
}
