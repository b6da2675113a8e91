import type {
  AssistantBlock, ContentBlock, Conversation, ImageBlock, RequestLimits, SignatureForm, TextBlock, ThinkingBlock, ToolCallBlock,
  ToolResultBlock, Turn,
} from '@tollgate/core';
import {
  arrangeTurns, cacheMarkOf, checkMessageText, checkToolIds, decodeContentOf, decodeFile, decodeImageUrl, decodeListOf, decodeListWithin, decodeNonEmptyString, decodeObject,
  decodeOneOf, type Decoder, decodeRefusalPart, decodeString, decodeTextPart, type Fields, invalidField, isPresent, optional, type FieldPath, required, saysSomething, withCacheMark,
} from '@tollgate/wire-kit';

/** Decodes an image; its `detail` is ignored. */
function decodeImagePart(part: Fields): ImageBlock {
  const image = part.values['image_url'];
  if (typeof image === 'string') return { type: 'image', source: required(part, 'image_url', decodeImageUrl) };
  return { type: 'image', source: required(required(part, 'image_url', decodeObject), 'url', decodeImageUrl) };
}

function decodeFilePart(part: Fields): TextBlock {
  return decodeFile(required(part, 'file', decodeObject));
}

/** Also decodes the part's cache mark. */
function marking<Block extends object>(decode: (part: Fields) => Block): (part: Fields) => Block {
  return (part) => withCacheMark(decode(part), part);
}

const TEXT = { text: marking(decodeTextPart) };
const decodeUserParts = decodeContentOf<TextBlock | ImageBlock>({ ...TEXT, image_url: marking(decodeImagePart), file: marking(decodeFilePart) });
const decodeInstructionParts = decodeContentOf(TEXT);
const decodeAssistantParts = decodeContentOf({ ...TEXT, refusal: marking(decodeRefusalPart) });

/** Returns the same list if no block is empty. */
function withoutEmpty<Block extends TextBlock | ImageBlock>(blocks: readonly Block[]): readonly Block[] {
  return blocks.every(saysSomething) ? blocks : blocks.filter(saysSomething);
}

/** Decodes a user's content. Empty text is kept: it may be the whole message. */
function decodeUserContent(message: Fields): readonly (TextBlock | ImageBlock)[] {
  return required(message, 'content', decodeUserParts);
}

/** Decodes instructions without empty texts. */
function decodeInstructionContent(message: Fields): readonly TextBlock[] {
  return withoutEmpty(required(message, 'content', decodeInstructionParts));
}

/** Decodes text and refusal. Omits empty text. The content may be `null`, as in messages with tool calls. */
function decodeAssistantContent(message: Fields): readonly TextBlock[] {
  const said = withoutEmpty(optional(message, 'content', decodeAssistantParts) ?? []);
  const refusal = optional(message, 'refusal', decodeString) ?? '';
  return refusal === '' ? said : [...said, { type: 'text', text: refusal }];
}

/** Decodes the text and images of a tool's output. The content may be missing or empty. */
function decodeToolContent(message: Fields): readonly (TextBlock | ImageBlock)[] {
  return withoutEmpty(optional(message, 'content', decodeUserParts) ?? []);
}

const decodeFunctionType = decodeOneOf(new Map([['function', 'function']]));

/** Opaque data that the client received earlier and sends back; values of another shape are ignored. */
function opaqueIn({ values }: Fields, field: 'extra_content' | 'reasoning_details', form: SignatureForm): ThinkingBlock | null {
  const value = values[field];
  const isGiven = field === 'reasoning_details' ? Array.isArray(value) && value.length > 0 : typeof value === 'object' && value !== null && !Array.isArray(value);
  return isGiven ? { type: 'thinking', text: '', signature: JSON.stringify(value), form } : null;
}

/** Decodes a call, preceded by its opaque data. `arguments` stays text; the encoder handles invalid JSON. */
const decodeToolCall: Decoder<readonly (ThinkingBlock | ToolCallBlock)[]> = (value, within, key) => {
  const call = decodeObject(value, within, key);
  optional(call, 'type', decodeFunctionType);
  const named = required(call, 'function', decodeObject);
  const block: ToolCallBlock = {
    type: 'tool-call',
    id: required(call, 'id', decodeNonEmptyString),
    name: required(named, 'name', decodeNonEmptyString),
    argumentsJson: optional(named, 'arguments', decodeString) ?? '',
  };
  const extra = opaqueIn(call, 'extra_content', 'call-extra');
  return extra === null ? [block] : [extra, block];
};

const decodeToolCallList = decodeListOf(decodeToolCall);

const decodeToolCalls: Decoder<readonly (ThinkingBlock | ToolCallBlock)[]> = (value, within, key) => {
  const blocks: (ThinkingBlock | ToolCallBlock)[] = [];
  for (const call of decodeToolCallList(value, within, key)) blocks.push(...call);
  checkToolIds(blocks, { within, key });
  return blocks;
};

function decodeReasoningContent(message: Fields): ThinkingBlock | null {
  const text = optional(message, 'reasoning_content', decodeString) ?? '';
  const details = opaqueIn(message, 'reasoning_details', 'reasoning-details');
  if (details !== null) return { ...details, text };
  return text === '' ? null : { type: 'thinking', text, signature: null };
}

/** Decodes blocks in the order of their generation: thinking, text, tool calls. */
function decodeAssistantMessage(message: Fields): readonly AssistantBlock[] {
  if (isPresent(message, 'function_call')) {
    throw invalidField(message.place, 'function_call', `is a retired form that is not supported; use 'tool_calls'`);
  }
  const blocks: AssistantBlock[] = [];
  const thinking = decodeReasoningContent(message);
  if (thinking !== null) blocks.push(thinking);
  blocks.push(...decodeAssistantContent(message));
  const extra = opaqueIn(message, 'extra_content', 'message-extra');
  if (extra !== null) blocks.push(extra);
  blocks.push(...optional(message, 'tool_calls', decodeToolCalls) ?? []);
  return blocks;
}

/** A tool result, which is a message in this format. */
interface ToolMessage {
  readonly role: 'tool';
  readonly result: ToolResultBlock;
}

type Message = ToolMessage | Turn;

/** The results of consecutive tool messages. */
function resultsFrom(messages: readonly Message[], first: number): readonly ToolResultBlock[] {
  const results: ToolResultBlock[] = [];
  for (let message = messages[first]; message?.role === 'tool'; message = messages[first + results.length]) results.push(message.result);
  return results;
}

/** Refuses a second result for the same call. */
function checkResults(results: readonly ToolResultBlock[], list: FieldPath, first: number): void {
  if (results.length < 2) return;
  const answered = new Set<string>();
  for (const [index, { toolCallId }] of results.entries()) {
    if (answered.has(toolCallId)) throw invalidField({ within: list, key: first + index }, 'tool_call_id', 'answers a tool call that is already answered');
    answered.add(toolCallId);
  }
}

/** Joins consecutive tool messages into one turn. */
function joinToolMessages(messages: readonly Message[], list: FieldPath): readonly Turn[] {
  const turns: Turn[] = [];
  for (let at = 0; at < messages.length;) {
    const message = messages[at] as Message;
    if (message.role === 'tool') {
      const results = resultsFrom(messages, at);
      checkResults(results, list, at);
      turns.push({ role: 'user', content: results });
      at += results.length;
    } else {
      turns.push(message);
      at += 1;
    }
  }
  return turns;
}

/** Applies the message's cache mark to its last block that may have one. */
function marked(message: Message, fields: Fields): Message {
  if (cacheMarkOf(fields) === null) return message;
  if (message.role === 'tool') return { ...message, result: withCacheMark(message.result, fields) };
  const at = (message.content as readonly ContentBlock[]).findLastIndex(({ type }) => type !== 'thinking');
  return { ...message, content: message.content.map((block, index) => (index === at ? withCacheMark(block, fields) : block)) } as Turn;
}

function decodeToolMessage(message: Fields): Message {
  const toolCallId = required(message, 'tool_call_id', decodeNonEmptyString);
  return { role: 'tool', result: { type: 'tool-result', toolCallId, content: decodeToolContent(message), isError: false } };
}

const decodeSystemMessage = (message: Fields): Message => ({ role: 'system', content: decodeInstructionContent(message) });

const decodeRole = decodeOneOf(new Map<string, (message: Fields) => Message>([
  ['system', decodeSystemMessage],
  ['developer', decodeSystemMessage],
  ['user', (message) => ({ role: 'user', content: decodeUserContent(message) })],
  ['assistant', (message) => ({ role: 'assistant', content: decodeAssistantMessage(message) })],
  ['tool', decodeToolMessage],
]));

function contentOf(message: Message): readonly ContentBlock[] {
  return message.role === 'tool' ? message.result.content : message.content;
}

function decodeMessageWithin(limits: RequestLimits): Decoder<Message> {
  return (value, within, key) => {
    const fields = decodeObject(value, within, key);
    const message = marked(required(fields, 'role', decodeRole)(fields), fields);
    checkMessageText(contentOf(message), { limits, message: fields.place });
    return message;
  };
}

export function decodeConversationWithin(limits: RequestLimits): Decoder<Conversation> {
  const decodeMessageList = decodeListWithin(limits, 'messages', decodeMessageWithin(limits));
  return (value, within, key) => {
    const messages = decodeMessageList(value, within, key);
    if (messages.length === 0) throw invalidField(within, key, 'needs at least one message');
    return arrangeTurns([], joinToolMessages(messages, { within, key }));
  };
}
