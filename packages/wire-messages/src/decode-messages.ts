import {
  checkMessageText, checkToolIds, decodeBoolean, decodeDocument, decodeListWithin, decodeNonEmptyString, decodeObject, decodeOneOf, type Decoder, decodeString,
  decodeTextPart, type Fields, invalidField, isPresent, optional, required,
} from '@tollgate/wire-kit';
import {
  type AssistantBlock, EMPTY_ARGUMENTS, type ImageBlock, type RequestLimits, type TextBlock, type ThinkingBlock, type ToolCallBlock, type ToolResultBlock,
  type Turn, type UserBlock,
} from '@tollgate/core';
import { decodeBlocks, decodeImageBlock, decodeSpokenText } from './decode-blocks.js';
import { decodeDocumentBlock, decodeSearchResultBlock } from './decode-documents.js';
import { decodeSignature } from './encode-response.js';
import { type ChangedMessages, followChanges } from './system-changes.js';

function decodeToolUse(block: Fields): ToolCallBlock {
  return {
    type: 'tool-call',
    id: required(block, 'id', decodeNonEmptyString),
    name: required(block, 'name', decodeNonEmptyString),
    argumentsJson: optional(block, 'input', decodeDocument)?.text ?? EMPTY_ARGUMENTS,
  };
}

/** Decodes thinking; with a signature it is sent back verbatim, even without text. */
function decodeThinkingBlock(block: Fields): ThinkingBlock | null {
  const text = optional(block, 'thinking', decodeString) ?? '';
  const signed = decodeSignature(optional(block, 'signature', decodeString));
  return text === '' && signed.signature === null ? null : { type: 'thinking', text, ...signed };
}

/** Decodes redacted thinking, which only its vendor can read; it is sent back verbatim. */
function decodeRedactedThinking(block: Fields): ThinkingBlock | null {
  const data = optional(block, 'data', decodeString) ?? '';
  return data === '' ? null : { type: 'thinking', text: '', signature: data, form: 'redacted-thinking' };
}

/** Decodes the summary of what a vendor has removed from the conversation, as text. */
function decodeCompaction(block: Fields): TextBlock | null {
  const text = optional(block, 'content', decodeString) ?? '';
  return text === '' ? null : { type: 'text', text };
}

const decodeAssistantContent = decodeBlocks<AssistantBlock>({
  thinking: decodeThinkingBlock,
  redacted_thinking: decodeRedactedThinking,
  text: decodeSpokenText,
  tool_use: decodeToolUse,
  compaction: decodeCompaction,
});

/** Beginning of a block that coding agents put first; it differs per request and would defeat prompt caching. */
const BILLING_HEADER = 'x-anthropic-billing-header';
const BILLING_LINE = /^x-anthropic-billing-header[^\n]*\n?/;

function decodeInstruction(block: Fields): TextBlock | null {
  const text = decodeSpokenText(block);
  return text === null || text.text.startsWith(BILLING_HEADER) ? null : text;
}

const decodeInstructions = decodeBlocks<TextBlock>({ text: decodeInstruction });

/** Decodes text blocks or a string, without the billing header. In a string, instructions may follow the header's line. */
export const decodeSystem: Decoder<readonly TextBlock[]> = (value, within, key) =>
  decodeInstructions(typeof value === 'string' ? value.replace(BILLING_LINE, '') : value, within, key);

const decodeResultContent = decodeBlocks<TextBlock | ImageBlock>({
  text: decodeSpokenText,
  image: decodeImageBlock,
  document: decodeDocumentBlock,
  search_result: decodeSearchResultBlock,
});

/** Decodes a tool result, which may be empty. */
function decodeToolResult(block: Fields): ToolResultBlock {
  return {
    type: 'tool-result',
    toolCallId: required(block, 'tool_use_id', decodeNonEmptyString),
    content: optional(block, 'content', decodeResultContent) ?? [],
    isError: optional(block, 'is_error', decodeBoolean) ?? false,
  };
}

const decodeUserContent = decodeBlocks<UserBlock>({
  text: decodeTextPart,
  image: decodeImageBlock,
  document: decodeDocumentBlock,
  search_result: decodeSearchResultBlock,
  tool_result: decodeToolResult,
});

/** Decodes a system turn. The content may be missing if the turn has an `output_config`. */
function decodeSystemTurn(message: Fields): Turn {
  const content = isPresent(message, 'output_config') ? optional(message, 'content', decodeSystem) ?? [] : required(message, 'content', decodeSystem);
  return { role: 'system', content };
}

/** Decodes a message by its role. Coding agents put system turns between others; such turns keep their place. */
const decodeRole = decodeOneOf(new Map<string, (message: Fields) => Turn>([
  ['user', (message) => ({ role: 'user', content: required(message, 'content', decodeUserContent) })],
  ['assistant', (message) => ({ role: 'assistant', content: optional(message, 'content', decodeAssistantContent) ?? [] })],
  ['system', decodeSystemTurn],
  ['developer', decodeSystemTurn],
]));

function decodeMessageWithin(limits: RequestLimits): Decoder<Turn> {
  return (value, within, key) => {
    const message = decodeObject(value, within, key);
    const turn = required(message, 'role', decodeRole)(message);
    checkToolIds(turn.content, { within: message.place, key: 'content' });
    checkMessageText(turn.content, { limits, message: message.place });
    return turn;
  };
}

/** Decodes the turns, and what system messages among them change. Adjacent turns may have the same role. */
export function decodeMessagesWithin(limits: RequestLimits): Decoder<ChangedMessages> {
  const decodeMessageList = decodeListWithin(limits, 'messages', decodeMessageWithin(limits));
  return (value, within, key) => {
    const decoded = followChanges(decodeMessageList(value, within, key), value as readonly unknown[], { within, key });
    if (decoded.turns.length === 0) throw invalidField(within, key, 'needs at least one message');
    return decoded;
  };
}
