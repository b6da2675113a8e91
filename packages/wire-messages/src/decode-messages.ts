import {
  type AssistantBlock, EMPTY_ARGUMENTS, type ImageBlock, type TextBlock, type ThinkingBlock, type ToolCallBlock, type ToolResultBlock,
  type Turn, type UserBlock,
} from '@tollgate/core';
import {
  checkMessageText, checkToolIds, decodeBoolean, decodeDocument, decodeListUpTo, decodeNonEmptyString, decodeObject, decodeOneOf,
  type Decoder, decodeString, type Fields, invalidField, MAX_MESSAGES, optional, required,
} from '@tollgate/wire-kit';
import { decodeBlocks, decodeDocumentBlock, decodeImageBlock, decodeSearchResultBlock, decodeSpokenText, decodeTextBlock } from './decode-content.js';
import { decodeSignature } from './signature.js';

function decodeToolUse(block: Fields): ToolCallBlock {
  return {
    type: 'tool-call',
    id: required(block, 'id', decodeNonEmptyString),
    name: required(block, 'name', decodeNonEmptyString),
    argumentsJson: optional(block, 'input', decodeDocument)?.text ?? EMPTY_ARGUMENTS,
  };
}

/** Thinking that is kept from the client has no text but a signature, and goes back as it came. */
function decodeThinkingBlock(block: Fields): ThinkingBlock | null {
  const text = optional(block, 'thinking', decodeString) ?? '';
  const signature = decodeSignature(optional(block, 'signature', decodeString));
  return text === '' && signature === null ? null : { type: 'thinking', text, signature };
}

/** An assistant turn's content. Redacted thinking can be read by its own vendor only, and is ignored like unknown types. */
const decodeAssistantContent = decodeBlocks<AssistantBlock>({
  thinking: decodeThinkingBlock,
  text: decodeSpokenText,
  tool_use: decodeToolUse,
});

/** Coding agents lead with a block of this; it changes per request and would defeat the upstream's prefix cache. */
const BILLING_HEADER = 'x-anthropic-billing-header';
const BILLING_LINE = /^x-anthropic-billing-header[^\n]*\n?/;

function decodeInstruction(block: Fields): TextBlock | null {
  const text = decodeSpokenText(block);
  return text === null || text.text.startsWith(BILLING_HEADER) ? null : text;
}

const decodeInstructions = decodeBlocks<TextBlock>({ text: decodeInstruction });

/** Instructions: text blocks, or a string, which may hold real instructions after its billing line. */
export const decodeSystem: Decoder<readonly TextBlock[]> = (value, within, key) =>
  decodeInstructions(typeof value === 'string' ? value.replace(BILLING_LINE, '') : value, within, key);

const decodeResultContent = decodeBlocks<TextBlock | ImageBlock>({
  text: decodeSpokenText,
  image: decodeImageBlock,
  document: decodeDocumentBlock,
  search_result: decodeSearchResultBlock,
});

/** A result without content is a result all the same: the call is answered. */
function decodeToolResult(block: Fields): ToolResultBlock {
  return {
    type: 'tool-result',
    toolCallId: required(block, 'tool_use_id', decodeNonEmptyString),
    content: optional(block, 'content', decodeResultContent) ?? [],
    isError: optional(block, 'is_error', decodeBoolean) ?? false,
  };
}

/** A user turn's content: text, images, documents and tool results, in the order they came. */
const decodeUserContent = decodeBlocks<UserBlock>({
  text: decodeTextBlock,
  image: decodeImageBlock,
  document: decodeDocumentBlock,
  search_result: decodeSearchResultBlock,
  tool_result: decodeToolResult,
});

const decodeSystemTurn = (message: Fields): Turn => ({ role: 'system', content: required(message, 'content', decodeSystem) });

/** Coding agents put system turns between the others, where they keep their place. */
const decodeRole = decodeOneOf(new Map<string, (message: Fields) => Turn>([
  ['user', (message) => ({ role: 'user', content: required(message, 'content', decodeUserContent) })],
  ['assistant', (message) => ({ role: 'assistant', content: optional(message, 'content', decodeAssistantContent) ?? [] })],
  ['system', decodeSystemTurn],
  ['developer', decodeSystemTurn],
]));

const decodeMessage: Decoder<Turn> = (value, within, key) => {
  const message = decodeObject(value, within, key);
  const turn = required(message, 'role', decodeRole)(message);
  const place = { within, key };
  checkToolIds(turn.content, { within: place, key: 'content' });
  checkMessageText(turn.content, place);
  return turn;
};

const decodeMessageList = decodeListUpTo(MAX_MESSAGES, decodeMessage);

/** The `messages` of a request, turn by turn as they came: turns of one role may follow each other. */
export const decodeMessages: Decoder<readonly Turn[]> = (value, within, key) => {
  const turns = decodeMessageList(value, within, key);
  if (turns.length === 0) throw invalidField(within, key, 'needs at least one message');
  return turns;
};
