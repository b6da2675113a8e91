import type { RequestLimits, Tool } from '@tollgate/core';
import {
  cacheMarkIn, decodeDocument, decodeListWithin, decodeNonEmptyString, decodeObject, decodeOnce, type Decoder, decodeString, type Fields, isPresent, optional,
  required,
} from '@tollgate/wire-kit';
import { vendorTool } from './vendor-tools.js';

/** Types of tools that clients define. The chat format's type `function` is included, so that its tools are refused instead of omitted. */
const CLIENT_TOOL_TYPES: ReadonlySet<string> = new Set(['custom', 'function']);

/** The type of a tool that its vendor defines; `null` for tools that the client defines. */
function vendorTypeOf(tool: Fields): string | null {
  const type = optional(tool, 'type', decodeString);
  return type === null || CLIENT_TOOL_TYPES.has(type) || isPresent(tool, 'input_schema') ? null : type;
}

/** Decodes a tool. A tool that a vendor defines and clients run gets the vendor's schema; other tools of vendors are `null`. */
export const decodeTool: Decoder<Tool | null> = (value, within, key) => {
  const tool = decodeObject(value, within, key);
  const vendorType = vendorTypeOf(tool);
  const known = vendorType === null ? null : vendorTool(vendorType);
  if (vendorType !== null && known === null) return null;
  const name = required(tool, 'name', decodeNonEmptyString);
  const described = known ?? { description: optional(tool, 'description', decodeString), inputSchema: required(tool, 'input_schema', decodeDocument) };
  return { name, ...described, ...cacheMarkIn(tool) };
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
