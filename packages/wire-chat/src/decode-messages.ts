import type { ContentBlock, Conversation, Turn } from '@tollgate/core';
import {
  arrangeTurns, checkMessageText, type Decoder, decodeListUpTo, decodeNonEmptyString, decodeObject, decodeOneOf, type Fields,
  invalidField, MAX_MESSAGES, required,
} from '@tollgate/wire-kit';
import { decodeAssistantMessage } from './decode-assistant-message.js';
import { decodeInstructionContent, decodeToolContent, decodeUserContent } from './decode-content.js';
import { joinToolMessages, type ToolMessage } from './join-tool-messages.js';

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
