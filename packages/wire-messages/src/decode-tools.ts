import type { Tool, ToolChoice } from '@tollgate/core';
import {
  decodeBoolean, type Decoder, decodeDocument, decodeListUpTo, decodeNonEmptyString, decodeObject, decodeOnce, decodeOneOf,
  decodeString, type Fields,
  isPresent, MAX_TOOLS, optional, required,
} from '@tollgate/wire-kit';

const CLIENT_TOOL_TYPE = 'custom';

/** Tools that the format's vendor runs on its own servers have a type and no schema; no model here can call them. */
function isServerTool(tool: Fields): boolean {
  const type = optional(tool, 'type', decodeString);
  return type !== null && type !== CLIENT_TOOL_TYPE && !isPresent(tool, 'input_schema');
}

const decodeTool: Decoder<Tool | null> = (value, within, key) => {
  const tool = decodeObject(value, within, key);
  if (isServerTool(tool)) return null;
  return {
    name: required(tool, 'name', decodeNonEmptyString),
    description: optional(tool, 'description', decodeString),
    inputSchema: required(tool, 'input_schema', decodeDocument),
  };
};

const decodeToolList = decodeListUpTo(MAX_TOOLS, decodeTool);

export const decodeTools: Decoder<readonly Tool[]> = decodeOnce((value, within, key) =>
  decodeToolList(value, within, key).filter((tool) => tool !== null));

const decodeChoiceType = decodeOneOf(new Map<string, (choice: Fields) => ToolChoice>([
  ['auto', () => ({ kind: 'auto' })],
  ['any', () => ({ kind: 'any' })],
  ['none', () => ({ kind: 'none' })],
  ['tool', (choice) => ({ kind: 'tool', name: required(choice, 'name', decodeNonEmptyString) })],
]));

/** The two things that one wire field says. */
export interface ToolUse {
  readonly choice: ToolChoice | null;
  readonly parallel: boolean | null;
}

export const UNSAID_TOOL_USE: ToolUse = { choice: null, parallel: null };

export const decodeToolUse: Decoder<ToolUse> = (value, within, key) => {
  const fields = decodeObject(value, within, key);
  const disabled = optional(fields, 'disable_parallel_tool_use', decodeBoolean);
  return { choice: required(fields, 'type', decodeChoiceType)(fields), parallel: disabled === null ? null : !disabled };
};
