import type { GenerationRequest, JsonObject, Tool } from '@tollgate/core';
import { type JsonText, oncePer, type Printable, printList, printObject } from '@tollgate/json-text';
import { objectSchema } from '../encoding/object-schema.js';

const NO_PARAMETERS: JsonObject = { type: 'object' };

/** `tools` and the choice among them; nothing at all without tools. */
export function encodeTools(request: GenerationRequest): Readonly<Record<string, Printable | undefined>> {
  if (request.tools.length === 0) return {};
  return { tools: printTools(request.tools), tool_choice: encodeToolChoice(request) };
}

/** Once for each list, since agents send the same dozens of tools with every request. */
const printTools = oncePer((tools: readonly Tool[]) => printList(tools.map(encodeTool)));

function encodeTool({ name, description, inputSchema }: Tool): JsonText {
  return printObject({ name, description: description ?? undefined, input_schema: inputSchema === null ? NO_PARAMETERS : objectSchema(inputSchema) });
}

/** Calls one at a time are a matter of the choice, so asking for them takes one. */
function encodeToolChoice({ toolChoice, parallelToolCalls }: GenerationRequest): JsonObject | undefined {
  if (toolChoice?.kind === 'none') return { type: 'none' };
  const sequential = parallelToolCalls === false ? { disable_parallel_tool_use: true } : {};
  if (toolChoice === null) return parallelToolCalls === false ? { type: 'auto', ...sequential } : undefined;
  return toolChoice.kind === 'tool' ? { type: 'tool', name: toolChoice.name, ...sequential } : { type: toolChoice.kind, ...sequential };
}
