import { type AssistantBlock, isSignedBy, type SystemTurn, type TextBlock, type ThinkingBlock, type ToolCallBlock, type ToolResultBlock, type Turn, type UserTurn } from '@tollgate/core';
import { ABORTED, type FieldPath, invalidField, type ResultContent } from '@tollgate/wire-kit';

/** An assistant turn, and the results of its calls; `null` for a missing result. */
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
  /** The results of the latest turn with a call of this id; models reuse ids. */
  readonly #calls = new Map<string, AssistantPart['results']>();
  /** Ids of the omitted calls, whose results are omitted too. */
  readonly #skipped = new Set<string>();
  /** The assistant turn that further items may join. */
  #open: AssistantPart | null = null;
  /** Reasoning that waits for the text or call after it, because it is no turn on its own. */
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

  /** Adds the result of a call; a later result replaces an earlier one. */
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

  /** Ends the assistant turn. Of the reasoning that waits, it keeps only opaque data of chat servers, which may come last. */
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
