import { type AssistantBlock, assertNever, type CompletedGeneration, type EncodeContext, type JsonObject } from '@tollgate/core';
import { argumentsObject, type Printable, printList, printObject } from '@tollgate/json-text';
import { encodeCharge } from '@tollgate/wire-kit';
import { stopReasons } from './encode-stop-reason.js';
import { encodeUsage } from './encode-usage.js';
import { encodeSignature } from './signature.js';

/** Stands for a reply without any content, since clients read the first block unasked. */
const EMPTY_TEXT: JsonObject = { type: 'text', text: '' };

function encodeBlock(block: AssistantBlock): Printable {
  switch (block.type) {
    case 'thinking': return { type: 'thinking', thinking: block.text, signature: encodeSignature(block.signature) };
    case 'text': return { type: 'text', text: block.text };
    case 'tool-call': return printObject({ type: 'tool_use', id: block.id, name: block.name, input: argumentsObject(block.argumentsJson) });
    default: return assertNever(block);
  }
}

/** A whole reply: the message object. */
export function encodeResponse(generation: CompletedGeneration, context: EncodeContext): string {
  const content = generation.blocks.map(encodeBlock);
  return printObject({
    id: context.responseId,
    type: 'message',
    role: 'assistant',
    model: generation.servedBy,
    content: printList(content.length === 0 ? [EMPTY_TEXT] : content),
    stop_reason: stopReasons[generation.stopReason],
    stop_sequence: null,
    usage: { ...encodeUsage(generation.usage), ...encodeCharge(generation.settlement) },
  }).text;
}
