import { type AssistantBlock, isSignedBy, type SystemTurn, type TextBlock, type ThinkingBlock, type ToolCallBlock, type ToolResultBlock, type Turn, type UserTurn } from '@tollgate/core';
import { ABORTED, type FieldPath, invalidField, type ResultContent } from '@tollgate/wire-kit';

/** A turn and its results. */
interface AssistantPart {
  readonly role: 'assistant';
  readonly content: AssistantBlock[];
  readonly results: Map<string, ResultContent | null>;
}

/**
 * Builds turns from items. Adjacent assistant items form one turn, followed by its results in the order of the calls, regardless of the results'
 * positions.
 */
export class TurnBuilder {
  readonly #parts: (AssistantPart | UserTurn | SystemTurn)[] = [];
  /** Results of the latest turn with this call id: models reuse ids. */
  readonly #calls = new Map<string, AssistantPart['results']>();
  /** Omitted calls, whose results are omitted too. */
  readonly #skipped = new Set<string>();
  /** The current assistant turn. */
  #open: AssistantPart | null = null;
  /** Reasoning alone is not a turn; it waits for its reply. */
  #thinking: ThinkingBlock[] = [];

  addTurn(turn: UserTurn | SystemTurn): void {
    this.#endAssistant();
    this.#parts.push(turn);
  }

  addThinking(block: ThinkingBlock): void {
    this.#thinking.push(block);
  }

  addText(block: TextBlock): void {
    this.#assistant().content.push(block);
  }

  addCall(block: ToolCallBlock, item: FieldPath): void {
    const part = this.#assistant();
    if (part.results.has(block.id)) throw invalidField(item, 'call_id', 'is already used by another call of the same turn');
    part.content.push(block);
    part.results.set(block.id, null);
    this.#calls.set(block.id, part.results);
    this.#skipped.delete(block.id);
  }

  /** Skips results of an omitted call, unless a known call with the same id still waits for its result. */
  skipCall(id: string): void {
    if (this.#calls.get(id)?.get(id) !== null) this.#skipped.add(id);
  }

  /** A later result replaces an earlier one of the same call. */
  addResult(callId: string, content: ResultContent, item: FieldPath): void {
    this.#endAssistant();
    if (this.#skipped.has(callId)) return;
    const results = this.#calls.get(callId);
    if (results === undefined) throw invalidField(item, 'call_id', 'does not match any earlier call');
    results.set(callId, content);
  }

  build(): readonly Turn[] {
    return this.#parts.flatMap((part) => (part.role === 'assistant' ? turnsOf(part) : [part]));
  }

  #assistant(): AssistantPart {
    if (this.#open === null) {
      this.#open = { role: 'assistant', content: [], results: new Map() };
      this.#parts.push(this.#open);
    }
    for (const block of this.#thinking) this.#open.content.push(block);
    this.#thinking = [];
    return this.#open;
  }

  /** Ends the assistant turn, unless opaque data of chat servers for it may follow. */
  #endAssistant(): void {
    this.#open?.content.push(...this.#thinking.filter((block) => isSignedBy('openai', block)));
    this.#open = null;
    this.#thinking = [];
  }
}

function turnsOf({ content, results }: AssistantPart): readonly Turn[] {
  const turn: Turn = { role: 'assistant', content };
  if (results.size === 0) return [turn];
  const answers = Array.from(results, ([toolCallId, answer]): ToolResultBlock =>
    ({ type: 'tool-result', toolCallId, content: answer ?? ABORTED, isError: false }));
  return [turn, { role: 'user', content: answers }];
}
