import type { AssistantBlock, ContentBlock, Conversation, ThinkingBlock, ToolCallBlock, ToolResultBlock, Turn } from '@tollgate/core';
import {
  arrangeTurns, checkMessageText, checkToolIds, decodeListOf, decodeListUpTo, decodeNonEmptyString, decodeObject, decodeOneOf,
  type Decoder, decodeString, type Fields, invalidField, isPresent, MAX_MESSAGES, optional, type Place, required,
} from '@tollgate/wire-kit';
import { decodeAssistantContent, decodeInstructionContent, decodeToolContent, decodeUserContent } from './decode-content.js';

const decodeFunctionType = decodeOneOf(new Map([['function', 'function']]));

/** `arguments` stays the text it is; the encoder decides how to send text that is not JSON. */
const decodeToolCall: Decoder<ToolCallBlock> = (value, within, key) => {
  const call = decodeObject(value, within, key);
  optional(call, 'type', decodeFunctionType);
  const named = required(call, 'function', decodeObject);
  return {
    type: 'tool-call',
    id: required(call, 'id', decodeNonEmptyString),
    name: required(named, 'name', decodeNonEmptyString),
    argumentsJson: optional(named, 'arguments', decodeString) ?? '',
  };
};

const decodeToolCallList = decodeListOf(decodeToolCall);

const decodeToolCalls: Decoder<readonly ToolCallBlock[]> = (value, within, key) => {
  const calls = decodeToolCallList(value, within, key);
  checkToolIds(calls, { within, key });
  return calls;
};

function decodeReasoningContent(message: Fields): readonly ThinkingBlock[] {
  const text = optional(message, 'reasoning_content', decodeString) ?? '';
  return text === '' ? [] : [{ type: 'thinking', text, signature: null }];
}

/** An assistant's message as blocks, in the order they were generated in: thinking, text, tool calls. */
function decodeAssistantMessage(message: Fields): readonly AssistantBlock[] {
  if (isPresent(message, 'function_call')) {
    throw invalidField(message.place, 'function_call', `is a retired form that is not supported; use 'tool_calls'`);
  }
  return [
    ...decodeReasoningContent(message),
    ...decodeAssistantContent(message),
    ...(optional(message, 'tool_calls', decodeToolCalls) ?? []),
  ];
}

/** What a tool returned, as the chat format says it: in a message of its own. */
interface ToolMessage {
  readonly role: 'tool';
  readonly result: ToolResultBlock;
}

/** Makes one turn of each run of tool messages, since the run answers one assistant turn; it answers no call twice. */
function joinToolMessages(messages: readonly (ToolMessage | Turn)[], list: Place): readonly Turn[] {
  const turns: Turn[] = [];
  const answered = new Set<string>();
  let run: ToolResultBlock[] | null = null;
  for (const [index, message] of messages.entries()) {
    if (message.role !== 'tool') {
      run = null;
      turns.push(message);
      continue;
    }
    if (run === null) {
      run = [];
      answered.clear();
      turns.push({ role: 'user', content: run });
    }
    const { toolCallId } = message.result;
    if (answered.has(toolCallId)) throw invalidField({ within: list, key: index }, 'tool_call_id', 'answers a tool call that is already answered');
    answered.add(toolCallId);
    run.push(message.result);
  }
  return turns;
}

type Message = ToolMessage | Turn;

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

function blocksOf(message: Message): readonly ContentBlock[] {
  return message.role === 'tool' ? [message.result] : message.content;
}

const decodeMessage: Decoder<Message> = (value, within, key) => {
  const fields = decodeObject(value, within, key);
  const message = required(fields, 'role', decodeRole)(fields);
  checkMessageText(blocksOf(message), { within, key });
  return message;
};

const decodeMessageList = decodeListUpTo(MAX_MESSAGES, decodeMessage);

/** The `messages` of a chat request. */
export const decodeConversation: Decoder<Conversation> = (value, within, key) => {
  const messages = decodeMessageList(value, within, key);
  if (messages.length === 0) throw invalidField(within, key, 'needs at least one message');
  return arrangeTurns([], joinToolMessages(messages, { within, key }));
};
