import type { AssistantBlock, ThinkingBlock, ToolCallBlock } from '@tollgate/core';
import {
  checkToolIds, type Decoder, decodeListOf, decodeNonEmptyString, decodeObject, decodeOneOf, decodeString, type Fields,
  invalidField, isPresent, optional, required,
} from '@tollgate/wire-kit';
import { decodeAssistantContent } from './decode-content.js';

const decodeFunctionType = decodeOneOf(new Map([['function', 'function']]));

/** `arguments` stays the text it is; whoever sends it on decides what to make of text that is no JSON. */
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
export function decodeAssistantMessage(message: Fields): readonly AssistantBlock[] {
  if (isPresent(message, 'function_call')) {
    throw invalidField(message.place, 'function_call', `is a retired form that is not supported; use 'tool_calls'`);
  }
  return [
    ...decodeReasoningContent(message),
    ...decodeAssistantContent(message),
    ...(optional(message, 'tool_calls', decodeToolCalls) ?? []),
  ];
}
