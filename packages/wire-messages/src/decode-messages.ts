import {
  checkMessageText, checkToolIds, decodeBase64, decodeBoolean, decodeDocument, decodeFileBytes, decodeImageUrl, decodeListOf, decodeListWithin,
  decodeNonEmptyString, decodeObject, decodeOneOf, type Decoder, decodeString, documentText, enclosed, type Fields, imageOf, invalidField,
  isPresent, optional, plainDocument, required, tagged, withCacheMark,
} from '@tollgate/wire-kit';
import {
  type AssistantBlock, EMPTY_ARGUMENTS, type ImageBlock, type ImageSource, type RequestLimits, type TextBlock, type ThinkingBlock,
  type ToolCallBlock,
  type ToolResultBlock, type Turn, type UserBlock,
} from '@tollgate/core';
import { decodeSignature } from './encode-response.js';
import { type ChangedMessages, followChanges } from './system-changes.js';

/** Decoders of blocks by `type`; a decoder returns `null` to omit the block. */
export type BlockDecoders<Block> = Readonly<Record<string, (block: Fields) => Block | null>>;

/** Types that are refused in the wrong place, because omitting such a block would change the message. */
const KNOWN_TYPES: ReadonlySet<string> = new Set(['text', 'image', 'tool_use', 'tool_result', 'thinking']);

function marked<Block extends object>(decoded: Block | null, block: Fields): Block | null {
  return decoded === null ? null : withCacheMark(decoded, block);
}

/** Decodes content; a string is one text block. Blocks of unknown types are omitted. */
function decodeBlocks<Block extends object>(decoders: BlockDecoders<Block>): Decoder<readonly Block[]> {
  const decodeList = decodeListOf<Block | null>((value, within, key) => {
    const block = decodeObject(value, within, key);
    const type = required(block, 'type', decodeString);
    const decode = Object.hasOwn(decoders, type) ? decoders[type] : undefined;
    if (decode !== undefined) return marked(decode(block), block);
    if (KNOWN_TYPES.has(type)) throw invalidField(block.place, 'type', `must not be '${type}' here`);
    return null;
  });
  return (value, within, key) => {
    const blocks = typeof value === 'string' ? [{ type: 'text', text: value }] : value;
    if (!Array.isArray(blocks)) throw invalidField(within, key, 'must be a string or an array of blocks');
    return decodeList(blocks, within, key).filter((block) => block !== null);
  };
}

/** Decodes text without its citations. */
function decodeTextBlock(block: Fields): TextBlock {
  return { type: 'text', text: required(block, 'text', decodeString) };
}

/** Decodes text; `null` if it is empty. */
function decodeSpokenText(block: Fields): TextBlock | null {
  const decoded = decodeTextBlock(block);
  return decoded.text === '' ? null : decoded;
}

const decodeSource = decodeOneOf(new Map<string, (source: Fields) => ImageSource>([
  ['base64', (source) => imageOf(optional(source, 'media_type', decodeNonEmptyString), required(source, 'data', decodeBase64))],
  ['url', (source) => required(source, 'url', decodeImageUrl)],
]));

/** Decodes an image; a `data:` URL becomes its bytes. */
function decodeImageBlock(block: Fields): ImageBlock {
  const source = required(block, 'source', decodeObject);
  return { type: 'image', source: required(source, 'type', decodeSource)(source) };
}

/** The block's text; `null` for blocks of other types. */
const decodeWords: Decoder<string | null> = (value, within, key) => {
  const block = decodeObject(value, within, key);
  return required(block, 'type', decodeString) === 'text' ? required(block, 'text', decodeString) : null;
};

const decodeWordList = decodeListOf(decodeWords);

/** Decodes a string, or the text blocks of a list, joined by line breaks. */
const decodeContent: Decoder<string> = (value, within, key) =>
  (typeof value === 'string' ? value : decodeWordList(value, within, key).filter((words) => words !== null).join('\n'));

/** Decoders of plain-text sources, by `type`. */
const PLAIN_SOURCES: ReadonlyMap<string, (source: Fields) => string> = new Map([
  ['text', (source: Fields) => required(source, 'data', decodeString)],
  ['content', (source: Fields) => required(source, 'content', decodeContent)],
]);

/** Decoders of file sources, by `type`. */
const FILE_SOURCES: ReadonlyMap<string, (source: Fields) => ImageSource | null> = new Map([
  ['base64', (source: Fields) => ({ kind: 'base64', mediaType: optional(source, 'media_type', decodeString) ?? '', data: required(source, 'data', decodeFileBytes) })],
  ['url', (source: Fields) => required(source, 'url', decodeImageUrl)],
]);

/** Decodes a document. Plain text keeps title and context; a file is decoded by `documentText`. */
function decodeDocumentBlock(block: Fields): TextBlock {
  const source = required(block, 'source', decodeObject);
  const type = required(source, 'type', decodeString);
  const decodeText = PLAIN_SOURCES.get(type);
  const said = { title: optional(block, 'title', decodeString), context: optional(block, 'context', decodeString) };
  return decodeText === undefined ? documentText({ ...said, source: FILE_SOURCES.get(type)?.(source) ?? null }) : plainDocument(said, decodeText(source));
}

/** Decodes a search result as text, preceded by its source and title. */
function decodeSearchResultBlock(block: Fields): TextBlock {
  const source = optional(block, 'source', decodeString);
  const title = optional(block, 'title', decodeString);
  return enclosed('search_result', [...tagged('source', source), ...tagged('title', title), required(block, 'content', decodeContent)]);
}

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
  text: decodeTextBlock,
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
