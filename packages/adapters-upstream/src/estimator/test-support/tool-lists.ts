import type { JsonObject, Tool } from '@tollgate/core';
import { jsonDocument } from '@tollgate/json-text';

/** Instructions and tools as chat templates print them ahead of a conversation, in words of our own that take as many tokens. */
export type ToolTemplate = (tools: readonly ToolDescription[]) => string;

export interface ToolDescription {
  readonly name: string;
  readonly description: string;
  readonly parameters: JsonObject;
}

const text = (description: string): JsonObject => ({ type: 'string', description });
const objectOf = (properties: JsonObject, required: readonly string[]): JsonObject => ({ type: 'object', properties, required: [...required] });

const WEATHER: ToolDescription = {
  name: 'get_weather',
  description: 'Tells what the weather is like in a town.',
  parameters: objectOf({ town: text('The town'), unit: { type: 'string', enum: ['celsius', 'fahrenheit'] } }, ['town']),
};

const ACTIONS = ['search', 'list', 'create', 'update', 'delete', 'read', 'write', 'send', 'open', 'close', 'move'];

const RECORD_TOOLS: readonly ToolDescription[] = ACTIONS.map((action) => ({
  name: `${action}_records`,
  description: `Call this to ${action} records of the archive. It gives the records that it touched, the newest first.`,
  parameters: objectOf({
    id: text('Which record it is about'),
    limit: { type: 'integer', minimum: 1, maximum: 100, description: 'How many to give at most' },
    filters: { type: 'array', items: objectOf({ field: { type: 'string' }, value: { type: 'string' } }, ['field', 'value']) },
    dry_run: { type: 'boolean' },
  }, ['id']),
}));

/** Lists of one, four and twelve tools. */
export const TOOL_LISTS: readonly (readonly ToolDescription[])[] = [1, 4, 12].map((count) => [WEATHER, ...RECORD_TOOLS].slice(0, count));

export function toTool({ name, description, parameters }: ToolDescription): Tool {
  return { name, description, inputSchema: jsonDocument(parameters) };
}

/** JSON with a space after each comma and colon, as template engines print it. */
function spaced(value: unknown): string {
  if (Array.isArray(value)) return `[${value.map(spaced).join(', ')}]`;
  if (typeof value !== 'object' || value === null) return JSON.stringify(value);
  return `{${Object.entries(value).map(([key, member]) => `${JSON.stringify(key)}: ${spaced(member)}`).join(', ')}}`;
}

const wrapped = (tool: ToolDescription): object => ({ type: 'function', function: tool });

export const TOOL_TEMPLATES: Readonly<Record<string, ToolTemplate>> = {
  /** A line for each tool between tags, and how a call is written: Hermes, Qwen. */
  'a line each': (tools) => `# Functions\n\nYou can use any of the functions below while you work on what the user asks for.\n\nTheir signatures stand between <tools></tools> tags:\n<tools>${tools.map((tool) => `\n${spaced(wrapped(tool))}`).join('')}\n</tools>\n\nTo use one, write a JSON object with its name and its arguments between <tool_call></tool_call> tags:\n<tool_call>\n{"name": <name-of-function>, "arguments": <object-of-arguments>}\n</tool_call>`,
  /** Indented by four, a line for each key: Llama 3. */
  'indented': (tools) => `Environment: tools\nHere are functions; answer with the JSON of a call to the one that fits best, with the arguments it needs, to do what the user asks for.\n\nWrite it as {"name": name of the function, "parameters": object of argument names and values}. Use no variables.\n\n${tools.map((tool) => `${JSON.stringify(wrapped(tool), null, 4)}\n\n`).join('')}`,
  /** One list without a word: Mistral. */
  'a bare list': (tools) => `[TOOLS]${spaced(tools.map(wrapped))}[/TOOLS]`,
};
