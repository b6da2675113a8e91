import { type GenerationRequest, type JsonObject, type JsonText, type Printable, printList, printObject, type Tool, type ToolChoice } from '@tollgate/core';
import { objectSchema } from '../encoding/object-schema.js';

const NO_PARAMETERS: JsonObject = { type: 'object', properties: {} };

/** `tools` and what belongs to them; nothing at all without tools, since servers refuse a choice among none. */
export function encodeTools({ tools, toolChoice, parallelToolCalls }: GenerationRequest): Readonly<Record<string, Printable>> {
  if (tools.length === 0) return {};
  return {
    tools: printList(tools.map(encodeTool)),
    ...(toolChoice === null ? {} : { tool_choice: encodeToolChoice(toolChoice) }),
    ...(parallelToolCalls === null ? {} : { parallel_tool_calls: parallelToolCalls }),
  };
}

function encodeTool({ name, description, inputSchema }: Tool): JsonText {
  const parameters = inputSchema === null ? NO_PARAMETERS : objectSchema(inputSchema);
  return printObject({ type: 'function', function: printObject({ name, description: description ?? undefined, parameters }) });
}

function encodeToolChoice(choice: ToolChoice): string | JsonObject {
  if (choice.kind === 'tool') return { type: 'function', function: { name: choice.name } };
  return choice.kind === 'any' ? 'required' : choice.kind;
}
