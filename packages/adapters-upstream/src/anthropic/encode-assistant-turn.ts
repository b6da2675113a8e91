import type { AssistantBlock, AssistantTurn } from '@tollgate/core';
import { argumentsObject, type JsonText, type Printable, printList, printObject } from '@tollgate/json-text';
import { encodeText, isSentText, isSentThinking, type TurnTerms } from './sent-blocks.js';
import { encodeToolCallId } from './tool-call-id.js';

/** The order servers want: nothing before thinking, nothing after a call but its results. */
const PLACES: Readonly<Record<AssistantBlock['type'], number>> = { 'thinking': 0, 'text': 1, 'tool-call': 2 };

/** A model's turn as a message. */
export function encodeAssistantTurn({ content }: AssistantTurn, terms: TurnTerms): JsonText {
  const blocks = content.filter((block) => isSent(block, terms)).toSorted((one, other) => PLACES[one.type] - PLACES[other.type]);
  return printObject({ role: 'assistant', content: printList(blocks.map((block) => encodeBlock(block, terms))) });
}

function isSent(block: AssistantBlock, terms: TurnTerms): boolean {
  switch (block.type) {
    case 'thinking': return isSentThinking(block, terms);
    case 'text': return isSentText(block);
    case 'tool-call': return true;
  }
}

function encodeBlock(block: AssistantBlock, terms: TurnTerms): Printable {
  switch (block.type) {
    case 'thinking': return { type: 'thinking', thinking: block.text, signature: block.signature ?? '' };
    case 'text': return encodeText(block, terms);
    case 'tool-call':
      return printObject({ type: 'tool_use', id: encodeToolCallId(block.id), name: block.name, input: argumentsObject(block.argumentsJson) });
  }
}
