import type { GenerationRequest, JsonObject, Tool, ToolChoice } from '@tollgate/core';
import { JsonText, oncePer, type Printable, printList } from '@tollgate/json-text';
import { objectSchema } from '../encoding/object-schema.js';

const NO_PARAMETERS = new JsonText('{"type":"object","properties":{}}');

/** `tools` and what belongs to them; nothing at all without tools, since servers refuse a choice among none. */
export function encodeTools({ tools, toolChoice, parallelToolCalls }: GenerationRequest): Readonly<Record<string, Printable>> {
  if (tools.length === 0) return {};
  return {
    tools: printTools(tools),
    ...(toolChoice === null ? {} : { tool_choice: encodeToolChoice(toolChoice) }),
    ...(parallelToolCalls === null ? {} : { parallel_tool_calls: parallelToolCalls }),
  };
}

/** Once for each list, since agents send the same dozens of tools with every request. */
const printTools = oncePer((tools: readonly Tool[]) => printList(tools.map(encodeTool)));

function encodeTool({ name, description, inputSchema }: Tool): JsonText {
  const parameters = inputSchema === null ? NO_PARAMETERS : objectSchema(inputSchema);
  const described = description === null ? '' : `,"description":${JSON.stringify(description)}`;
  return new JsonText(`{"type":"function","function":{"name":${JSON.stringify(name)}${described},"parameters":${parameters.text}}}`);
}

function encodeToolChoice(choice: ToolChoice): string | JsonObject {
  if (choice.kind === 'tool') return { type: 'function', function: { name: choice.name } };
  return choice.kind === 'any' ? 'required' : choice.kind;
}
