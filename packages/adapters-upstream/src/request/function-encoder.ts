import type { GenerationRequest, JsonObject, Tool, ToolChoice } from '@tollgate/core';
import { JsonText, oncePer, type Printable, printList } from '@tollgate/json-text';
import { objectSchema } from './object-schema.js';

/** How a format writes a function, and the choice of one. */
interface FunctionForm {
  readonly encodeFunction: (tool: Tool, parameters: JsonText) => JsonText;
  readonly encodeName: (name: string) => JsonObject;
}

type FunctionEncoder = (request: GenerationRequest) => Readonly<Record<string, Printable>>;

const NO_PARAMETERS = new JsonText('{"type":"object","properties":{}}');

/** Encodes `tools`, `tool_choice` and `parallel_tool_calls`. Returns no fields without tools, because servers refuse a choice without tools. */
export function functionEncoder({ encodeFunction, encodeName }: FunctionForm): FunctionEncoder {
  // Caches the printed tools per list object: the parser returns the same object while an agent repeats its tools.
  const printTools = oncePer((tools: readonly Tool[]) => printList(tools.map((tool) => encodeFunction(tool, parametersOf(tool)))));
  return ({ tools, toolChoice, parallelToolCalls }) => {
    if (tools.length === 0) return {};
    return {
      tools: printTools(tools),
      ...(toolChoice === null ? {} : { tool_choice: encodeChoice(toolChoice, encodeName) }),
      ...(parallelToolCalls === null ? {} : { parallel_tool_calls: parallelToolCalls }),
    };
  };
}

function parametersOf({ inputSchema }: Tool): JsonText {
  return inputSchema === null ? NO_PARAMETERS : objectSchema(inputSchema);
}

function encodeChoice(choice: ToolChoice, encodeName: FunctionForm['encodeName']): string | JsonObject {
  if (choice.kind === 'tool') return encodeName(choice.name);
  return choice.kind === 'any' ? 'required' : choice.kind;
}
