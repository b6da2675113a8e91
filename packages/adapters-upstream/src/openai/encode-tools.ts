import type { GenerationRequest, JsonObject, Tool, ToolChoice } from '@tollgate/core';

/** `tools` and what belongs to them; nothing at all without tools, since servers refuse a choice among none. */
export function encodeTools({ tools, toolChoice, parallelToolCalls }: GenerationRequest): JsonObject {
  if (tools.length === 0) return {};
  return {
    tools: tools.map(encodeTool),
    ...(toolChoice === null ? {} : { tool_choice: encodeToolChoice(toolChoice) }),
    ...(parallelToolCalls === null ? {} : { parallel_tool_calls: parallelToolCalls }),
  };
}

function encodeTool({ name, description, inputSchema }: Tool): JsonObject {
  return {
    type: 'function',
    function: { name, ...(description === null ? {} : { description }), parameters: encodeSchema(inputSchema) },
  };
}

/** Servers want an object's schema; what the client wrote stays as it is. */
function encodeSchema(schema: JsonObject | null): JsonObject {
  if (schema === null) return { type: 'object', properties: {} };
  return schema['type'] === undefined ? { type: 'object', ...schema } : schema;
}

function encodeToolChoice(choice: ToolChoice): string | JsonObject {
  if (choice.kind === 'tool') return { type: 'function', function: { name: choice.name } };
  return choice.kind === 'any' ? 'required' : choice.kind;
}
