import type { Tool, ToolChoice } from '@tollgate/core';
import {
  type Decoder, decodeDocument, decodeListUpTo, decodeNonEmptyString, decodeObject, decodeOnce, decodeOneOf, decodeString, MAX_TOOLS, optional, required,
} from '@tollgate/wire-kit';

const decodeFunctionType = decodeOneOf(new Map([['function', 'function']]));

const decodeTool: Decoder<Tool> = (value, within, key) => {
  const tool = decodeObject(value, within, key);
  required(tool, 'type', decodeFunctionType);
  const described = required(tool, 'function', decodeObject);
  return {
    name: required(described, 'name', decodeNonEmptyString),
    description: optional(described, 'description', decodeString),
    inputSchema: optional(described, 'parameters', decodeDocument),
  };
};

export const decodeTools: Decoder<readonly Tool[]> = decodeOnce(decodeListUpTo(MAX_TOOLS, decodeTool));

const decodeNamedChoice = decodeOneOf<ToolChoice>(new Map<string, ToolChoice>([
  ['none', { kind: 'none' }], ['auto', { kind: 'auto' }], ['required', { kind: 'any' }],
]));

/** `none`, `auto`, `required`, or the function that must be called. */
export const decodeToolChoice: Decoder<ToolChoice> = (value, within, key) => {
  if (typeof value === 'string') return decodeNamedChoice(value, within, key);
  const choice = decodeObject(value, within, key);
  required(choice, 'type', decodeFunctionType);
  return { kind: 'tool', name: required(required(choice, 'function', decodeObject), 'name', decodeNonEmptyString) };
};
