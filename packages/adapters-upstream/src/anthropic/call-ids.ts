import type { ToolCallBlock, ToolResultBlock, Turn } from '@tollgate/core';
import { sentId } from '../request/sent-names.js';

const FOREIGN_CHARACTER = /[^\w-]/g;
/** Maximum length of an id that the gateway has escaped or numbered. */
const MAX_ESCAPED_ID_CHARACTERS = 64;

/** Escapes characters that the format does not allow; the same id always gives the same result. */
function escapedId(id: string): string {
  const escaped = id.replace(FOREIGN_CHARACTER, (character) => `_${character.charCodeAt(0).toString(16)}`);
  return escaped === id ? id : sentId(escaped, MAX_ESCAPED_ID_CHARACTERS);
}

/** Makes the ids of a conversation's tool calls valid and unique: servers of other formats reuse ids in later turns. */
class CallIds {
  readonly #taken = new Set<string>();
  /** The id sent for the latest call, by the client's id of the call; results belong to the latest call with their id. */
  readonly #latest = new Map<string, string>();
  readonly #uses = new Map<string, number>();

  ofCall(id: string): string {
    const sent = this.#unused(escapedId(id));
    this.#taken.add(sent);
    this.#latest.set(id, sent);
    return sent;
  }

  ofResult(id: string): string {
    return this.#latest.get(id) ?? escapedId(id);
  }

  #unused(id: string): string {
    if (!this.#taken.has(id)) return id;
    for (let use = (this.#uses.get(id) ?? 1) + 1; ; use += 1) {
      const numbered = sentId(`${id}_${use}`, MAX_ESCAPED_ID_CHARACTERS);
      this.#uses.set(id, use);
      if (!this.#taken.has(numbered)) return numbered;
    }
  }
}

/** Replaces the ids of calls and results with unique ids that the format allows. */
export function withSentIds(turns: readonly Turn[]): readonly Turn[] {
  const ids = new CallIds();
  return turns.map((turn): Turn => {
    switch (turn.role) {
      case 'system': return turn;
      case 'assistant': return withContent(turn, turn.content.map((block) => (block.type === 'tool-call' ? withId(block, ids.ofCall(block.id)) : block)));
      case 'user': return withContent(turn, turn.content.map((block) => (block.type === 'tool-result' ? withCallId(block, ids.ofResult(block.toolCallId)) : block)));
    }
  });
}

function withContent<T extends Turn>(turn: T, content: T['content']): T {
  return content.every((block, index) => block === turn.content[index]) ? turn : { ...turn, content };
}

function withId(call: ToolCallBlock, id: string): ToolCallBlock {
  return call.id === id ? call : { ...call, id };
}

function withCallId(result: ToolResultBlock, toolCallId: string): ToolResultBlock {
  return result.toolCallId === toolCallId ? result : { ...result, toolCallId };
}
