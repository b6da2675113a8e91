import {
  checkMessageText, checkToolIds, decodeBase64, decodeBoolean, decodeDocument, decodeFileBytes, decodeImageUrl, decodeListOf, decodeListWithin,
  decodeNonEmptyString, decodeObject, decodeOneOf, type Decoder, decodeString, documentText, enclosed, type Fields, imageOf, invalidField,
  optional, plainDocument, required, tagged, withCacheMark,
} from '@tollgate/wire-kit';
import {
  type AssistantBlock, EMPTY_ARGUMENTS, type ImageBlock, type ImageSource, type RequestLimits, type TextBlock, type ThinkingBlock,
  type ToolCallBlock,
  type ToolResultBlock, type Turn, type UserBlock,
} from '@tollgate/core';
import { decodeSignature } from './encode-response.js';

/** Decoders by `type`; `null` omits the block. */
export type BlockDecoders<Block> = Readonly<Record<string, (block: Fields) => Block | null>>;

/** Types that belong elsewhere in a conversation: they are refused, because omitting them would change the message. */
const KNOWN_TYPES: ReadonlySet<string> = new Set(['text', 'image', 'tool_use', 'tool_result', 'thinking']);

function marked<Block extends object>(decoded: Block | null, block: Fields): Block | null {
  return decoded === null ? null : withCacheMark(decoded, block);
}

/** A string is one text block; unknown types are omitted. */
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

/** Citations are omitted. */
function decodeTextBlock(block: Fields): TextBlock {
  return { type: 'text', text: required(block, 'text', decodeString) };
}

/** Empty text is omitted. */
function decodeSpokenText(block: Fields): TextBlock | null {
  const decoded = decodeTextBlock(block);
  return decoded.text === '' ? null : decoded;
}

const decodeSource = decodeOneOf(new Map<string, (source: Fields) => ImageSource>([
  ['base64', (source) => imageOf(optional(source, 'media_type', decodeNonEmptyString), required(source, 'data', decodeBase64))],
  ['url', (source) => required(source, 'url', decodeImageUrl)],
]));

/** A `data:` URL becomes its bytes. */
function decodeImageBlock(block: Fields): ImageBlock {
  const source = required(block, 'source', decodeObject);
  return { type: 'image', source: required(source, 'type', decodeSource)(source) };
}

/** `null` for other block types. */
const decodeWords: Decoder<string | null> = (value, within, key) => {
  const block = decodeObject(value, within, key);
  return required(block, 'type', decodeString) === 'text' ? required(block, 'text', decodeString) : null;
};

const decodeWordList = decodeListOf(decodeWords);

/** A string, or the text blocks of a list, joined by line breaks. */
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

/** A plain-text document becomes text with title and context; a file becomes its replacement. */
function decodeDocumentBlock(block: Fields): TextBlock {
  const source = required(block, 'source', decodeObject);
  const type = required(source, 'type', decodeString);
  const decodeText = PLAIN_SOURCES.get(type);
  const said = { title: optional(block, 'title', decodeString), context: optional(block, 'context', decodeString) };
  return decodeText === undefined ? documentText({ ...said, source: FILE_SOURCES.get(type)?.(source) ?? null }) : plainDocument(said, decodeText(source));
}

/** Decodes the result as text, preceded by its source. */
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

/** Thinking with a signature and without text is sent back verbatim. */
function decodeThinkingBlock(block: Fields): ThinkingBlock | null {
  const text = optional(block, 'thinking', decodeString) ?? '';
  const signed = decodeSignature(optional(block, 'signature', decodeString));
  return text === '' && signed.signature === null ? null : { type: 'thinking', text, ...signed };
}

/** Only its vendor can read it; sent back verbatim. */
function decodeRedactedThinking(block: Fields): ThinkingBlock | null {
  const data = optional(block, 'data', decodeString) ?? '';
  return data === '' ? null : { type: 'thinking', text: '', signature: data, form: 'redacted-thinking' };
}

/** In order. */
const decodeAssistantContent = decodeBlocks<AssistantBlock>({
  thinking: decodeThinkingBlock,
  redacted_thinking: decodeRedactedThinking,
  text: decodeSpokenText,
  tool_use: decodeToolUse,
});

/** Coding agents put this block first; it differs per request and would defeat prompt caching. */
const BILLING_HEADER = 'x-anthropic-billing-header';
const BILLING_LINE = /^x-anthropic-billing-header[^\n]*\n?/;

function decodeInstruction(block: Fields): TextBlock | null {
  const text = decodeSpokenText(block);
  return text === null || text.text.startsWith(BILLING_HEADER) ? null : text;
}

const decodeInstructions = decodeBlocks<TextBlock>({ text: decodeInstruction });

/** Text blocks, or a string, which may contain instructions after the billing line. */
export const decodeSystem: Decoder<readonly TextBlock[]> = (value, within, key) =>
  decodeInstructions(typeof value === 'string' ? value.replace(BILLING_LINE, '') : value, within, key);

const decodeResultContent = decodeBlocks<TextBlock | ImageBlock>({
  text: decodeSpokenText,
  image: decodeImageBlock,
  document: decodeDocumentBlock,
  search_result: decodeSearchResultBlock,
});

/** A result may be empty. */
function decodeToolResult(block: Fields): ToolResultBlock {
  return {
    type: 'tool-result',
    toolCallId: required(block, 'tool_use_id', decodeNonEmptyString),
    content: optional(block, 'content', decodeResultContent) ?? [],
    isError: optional(block, 'is_error', decodeBoolean) ?? false,
  };
}

/** In order. */
const decodeUserContent = decodeBlocks<UserBlock>({
  text: decodeTextBlock,
  image: decodeImageBlock,
  document: decodeDocumentBlock,
  search_result: decodeSearchResultBlock,
  tool_result: decodeToolResult,
});

const decodeSystemTurn = (message: Fields): Turn => ({ role: 'system', content: required(message, 'content', decodeSystem) });

/** Coding agents put system turns between others; they keep their place. */
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

/** Turns of one role may be adjacent. */
export function decodeMessagesWithin(limits: RequestLimits): Decoder<readonly Turn[]> {
  const decodeMessageList = decodeListWithin(limits, 'messages', decodeMessageWithin(limits));
  return (value, within, key) => {
    const turns = decodeMessageList(value, within, key);
    if (turns.length === 0) throw invalidField(within, key, 'needs at least one message');
    return turns;
  };
}
