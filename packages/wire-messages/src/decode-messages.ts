import type { Turn } from '@tollgate/core';
import {
  checkMessageText, checkToolIds, type Decoder, decodeListUpTo, decodeObject, decodeOneOf, type Fields, invalidField, MAX_MESSAGES,
  optional, required,
} from '@tollgate/wire-kit';
import { decodeAssistantContent } from './decode-assistant-content.js';
import { decodeSystem } from './decode-system.js';
import { decodeUserContent } from './decode-user-content.js';

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
