import { type AssistantBlock, isSignedBy, type SystemTurn, type TextBlock, type ThinkingBlock, type ToolCallBlock, type ToolResultBlock, type Turn, type UserTurn } from '@tollgate/core';
import { ABORTED, type FieldPath, invalidField, type ResultContent } from '@tollgate/wire-kit';

/** An assistant's turn, and what its calls returned. */
interface AssistantPart {
  readonly role: 'assistant';
  readonly content: AssistantBlock[];
  readonly results: Map<string, ResultContent | null>;
}

/**
 * Makes turns of items. Neighbouring items of the assistant are one turn, and what its calls returned follows it directly, in the order of
 * the calls, wherever it came.
 */
export class TurnBuilder {
  readonly #parts: (AssistantPart | UserTurn | SystemTurn)[] = [];
  /** The results of the latest turn that has a call of this id: models use an id again. */
  readonly #calls = new Map<string, AssistantPart['results']>();
  /** Ids of calls that are left out, and with them what they returned. */
  readonly #skipped = new Set<string>();
  /** The assistant's turn that further items belong to. */
  #open: AssistantPart | null = null;
  /** Reasoning that waits for what it led to: alone it makes no turn. */
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

  /** `item` is where the call stands. */
  addCall(block: ToolCallBlock, item: FieldPath): void {
    const part = this.#assistant();
    if (part.results.has(block.id)) throw invalidField(item, 'call_id', 'is already used by another call of the same turn');
    part.content.push(block);
    part.results.set(block.id, null);
    this.#calls.set(block.id, part.results);
    this.#skipped.delete(block.id);
  }

  /** The item may also be what was returned to another item of its kind, beside a known call of the same id that waits for its own result. */
  skipCall(id: string): void {
    if (this.#calls.get(id)?.get(id) !== null) this.#skipped.add(id);
  }

  /** What a call returned; of two results the later one counts. */
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

  /** What servers of chat completions gave for a message may stand behind it. */
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
