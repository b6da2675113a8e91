import type { RequestLimits, Tool } from '@tollgate/core';
import {
  cacheMarkIn, decodeDocument, decodeListWithin, decodeNonEmptyString, decodeObject, decodeOnce, type Decoder, decodeString, type Fields, isPresent, optional,
  required,
} from '@tollgate/wire-kit';

/** Types of tools that clients run. That of the chat format is among them, so that its tools are refused instead of omitted. */
const CLIENT_TOOL_TYPES: ReadonlySet<string> = new Set(['custom', 'function']);

/** True for a tool with a type and without a schema, which only the vendor's servers can run. */
function isServerTool(tool: Fields): boolean {
  const type = optional(tool, 'type', decodeString);
  return type !== null && !CLIENT_TOOL_TYPES.has(type) && !isPresent(tool, 'input_schema');
}

/** Decodes a tool; `null` if only a vendor can run it. */
export const decodeTool: Decoder<Tool | null> = (value, within, key) => {
  const tool = decodeObject(value, within, key);
  if (isServerTool(tool)) return null;
  return {
    name: required(tool, 'name', decodeNonEmptyString),
    description: optional(tool, 'description', decodeString),
    inputSchema: required(tool, 'input_schema', decodeDocument),
    ...cacheMarkIn(tool),
  };
};

/** The tools that the gateway can offer. `hasServerTools`: the request also had tools of a vendor, which are omitted. */
export interface OfferedTools {
  readonly tools: readonly Tool[];
  readonly hasServerTools: boolean;
}

export const NO_TOOLS: OfferedTools = { tools: [], hasServerTools: false };

export function decodeToolsWithin(limits: RequestLimits): Decoder<OfferedTools> {
  const decodeToolList = decodeListWithin(limits, 'tools', decodeTool);
  return decodeOnce((value, within, key) => {
    const all = decodeToolList(value, within, key);
    const tools = all.filter((tool) => tool !== null);
    return { tools, hasServerTools: tools.length < all.length };
  });
}
