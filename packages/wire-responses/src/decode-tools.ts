import type { JsonDocument, JsonObject, JsonValue, RequestLimits, Tool, ToolChoice, ToolDeclaration } from '@tollgate/core';
import { jsonDocument } from '@tollgate/json-text';
import {
  allowedTools, beyondLimit, checkToolChoice, decodeDocument, decodeListOf, decodeNonEmptyString, decodeObject, decodeOnce, decodeOneOf, type Decoder,
  decodersWithin, decodeString, type FieldPath, type Fields, invalidField, NO_SERVER_TOOLS, optional, required,
} from '@tollgate/wire-kit';
import { upstreamToolName } from './tool-names.js';

const NO_PARAMETERS: JsonDocument = jsonDocument({ type: 'object', properties: {} });
/** The schema that upstreams get for a custom tool: an object with one text. */
const ONE_TEXT: JsonDocument = jsonDocument({
  type: 'object', properties: { input: { type: 'string' } }, required: ['input'], additionalProperties: false,
});

const RAW_TEXT = 'Put the raw text into `input`, with no quotes, JSON or code fence around it.';

/** The search tool's type, which is also its upstream name. */
export const SEARCH_TOOL = 'tool_search';

/** Declares the tool under its upstream name; plain functions need no declaration. */
function declared(tool: Pick<Tool, 'description' | 'inputSchema'>, declaration: ToolDeclaration): Tool {
  const name = upstreamToolName(declaration.namespace, declaration.name);
  const isPlain = declaration.kind === 'function' && declaration.namespace === null && declaration.name === name;
  return { name, ...tool, ...(isPlain ? {} : { declaration }) };
}

function decodeFunction(tool: Fields, namespace: string | null): Tool {
  const name = required(tool, 'name', decodeNonEmptyString);
  const inputSchema = optional(tool, 'parameters', decodeDocument) ?? NO_PARAMETERS;
  return declared({ description: optional(tool, 'description', decodeString), inputSchema }, { kind: 'function', name, namespace, inputFormat: null });
}

/** The instruction about a custom tool's text, with its grammar if it has one. */
function describeFormat(format: Fields): string {
  if (optional(format, 'type', decodeString) !== 'grammar') return RAW_TEXT;
  const syntax = optional(format, 'syntax', decodeString) ?? '';
  return `${RAW_TEXT} It must match this ${syntax} grammar:\n${required(format, 'definition', decodeString)}`;
}

function decodeCustom(tool: Fields, namespace: string | null): Tool {
  const name = required(tool, 'name', decodeNonEmptyString);
  const format = optional(tool, 'format', decodeObject);
  const described = [optional(tool, 'description', decodeString), format === null ? RAW_TEXT : describeFormat(format)];
  const description = described.filter((text) => text !== null && text !== '').join('\n\n');
  const inputFormat = optional(tool, 'format', decodeDocument);
  return declared({ description, inputSchema: ONE_TEXT }, { kind: 'custom', name, namespace, inputFormat });
}

function decodeSearch(tool: Fields): Tool {
  const inputSchema = optional(tool, 'parameters', decodeDocument) ?? NO_PARAMETERS;
  const declaration = { kind: 'search', name: SEARCH_TOOL, namespace: null, inputFormat: null } as const;
  return declared({ description: optional(tool, 'description', decodeString), inputSchema }, declaration);
}

const DECODERS: ReadonlyMap<string, (tool: Fields, namespace: string | null) => Tool> = new Map([
  ['function', decodeFunction], ['custom', decodeCustom],
]);

/** Decodes a tool of a group; `null` for types that only a vendor can run. */
function decodeMemberOf(namespace: string): Decoder<Tool | null> {
  return (value, within, key) => {
    const tool = decodeObject(value, within, key);
    return DECODERS.get(required(tool, 'type', decodeString))?.(tool, namespace) ?? null;
  };
}

function decodeGroup(group: Fields): readonly Tool[] {
  const members = optional(group, 'tools', decodeListOf(decodeMemberOf(required(group, 'name', decodeNonEmptyString)))) ?? [];
  return members.filter((tool) => tool !== null);
}

/** Decodes a tool or a group of tools; a tool that only a vendor can run is omitted. */
const decodeEntry: Decoder<readonly Tool[]> = (value, within, key) => {
  const tool = decodeObject(value, within, key);
  const type = required(tool, 'type', decodeString);
  if (type === 'namespace') return decodeGroup(tool);
  if (type === SEARCH_TOOL) return optional(tool, 'execution', decodeString) === 'client' ? [decodeSearch(tool)] : [];
  const decode = DECODERS.get(type);
  return decode === undefined ? [] : [decode(tool, null)];
};

const decodeEntries = decodeListOf(decodeEntry);

export interface ToolList {
  readonly tools: readonly Tool[];
  readonly within: FieldPath | null;
  readonly key: string | number;
}

/** Joins lists of tools. Of tools with one name the later one counts, because clients may send a list again. */
export function joinTools(first: readonly Tool[], others: readonly ToolList[], { tools: most }: RequestLimits): readonly Tool[] {
  if (others.length === 0) return first;
  const byName = new Map(first.map((tool) => [tool.name, tool]));
  for (const { tools, within, key } of others) {
    for (const tool of tools) byName.set(tool.name, tool);
    if (byName.size > most) throw beyondLimit({ within, key, name: 'tools', most, noun: 'tools in all', count: byName.size });
  }
  return [...byName.values()];
}

/** Decodes a list of tools, in which groups are flattened. */
export function decodeToolListWithin(limits: RequestLimits): Decoder<readonly Tool[]> {
  return (value, within, key) => joinTools([], [{ tools: decodeEntries(value, within, key).flat(), within, key }], limits);
}

/** Decoders of tools, cached per list: agents send the same tools with every request. */
export const decodeToolsWithin = decodersWithin((limits) => decodeOnce(decodeToolListWithin(limits)));

/** Tools other than plain functions, by upstream name. */
export function declarationsOf(tools: readonly Tool[]): ReadonlyMap<string, ToolDeclaration> {
  const declarations = new Map<string, ToolDeclaration>();
  for (const { name, declaration } of tools) if (declaration !== undefined) declarations.set(name, declaration);
  return declarations;
}

const decodeMode = decodeOneOf(new Map<string, ToolChoice>([['auto', { kind: 'auto' }], ['none', { kind: 'none' }], ['required', { kind: 'any' }]]));
const decodeAllowedMode = decodeOneOf(new Map<string, ToolChoice>([['auto', { kind: 'auto' }], ['required', { kind: 'any' }]]));

interface NamedTool {
  /** The upstream name; `null` for types that only a vendor can run. */
  readonly name: string | null;
  readonly echo: JsonObject;
}

const NAMED_TYPES: ReadonlySet<string> = new Set(DECODERS.keys());
/** Types of tools that clients run, and the type of groups of such tools. */
const CLIENT_TYPES: ReadonlySet<string> = new Set([...DECODERS.keys(), 'namespace', SEARCH_TOOL]);

const decodeNamed: Decoder<NamedTool> = (value, within, key) => {
  const named = decodeObject(value, within, key);
  const type = required(named, 'type', decodeString);
  if (type === SEARCH_TOOL) return { name: SEARCH_TOOL, echo: { type } };
  if (!NAMED_TYPES.has(type)) return { name: null, echo: { type } };
  const name = required(named, 'name', decodeNonEmptyString);
  return { name: upstreamToolName(optional(named, 'namespace', decodeString), name), echo: { type, name } };
};

const decodeNamedList = decodeListOf(decodeNamed);

/** The choice among the tools, and its form in the response. */
interface Chosen {
  readonly choice: ToolChoice;
  /** Names of the tools that may be called; `null` for all. */
  readonly allowed: readonly string[] | null;
  readonly echo: JsonValue;
}

/** Decodes a set of allowed tools. The response repeats each once, except tools that no model here can call. */
function decodeAllowed(fields: Fields): Chosen {
  const choice = required(fields, 'mode', decodeAllowedMode);
  const allowed = new Map<string, JsonObject>();
  for (const { name, echo } of required(fields, 'tools', decodeNamedList)) if (name !== null) allowed.set(name, echo);
  const mode = fields.values['mode'] as string;
  return { choice, allowed: [...allowed.keys()], echo: { type: 'allowed_tools', mode, tools: [...allowed.values()] } };
}

const decodeChoice: Decoder<Chosen> = (value, within, key) => {
  if (typeof value === 'string') return { choice: decodeMode(value, within, key), allowed: null, echo: value };
  const fields = decodeObject(value, within, key);
  if (required(fields, 'type', decodeString) === 'allowed_tools') return decodeAllowed(fields);
  const { name, echo } = decodeNamed(value, within, key);
  if (name === null) throw invalidField(within, key, `names a kind of tool that no model here can call; ${NO_SERVER_TOOLS}`);
  return { choice: { kind: 'tool', name }, allowed: null, echo };
};

export interface ToolUse {
  readonly tools: readonly Tool[];
  readonly choice: ToolChoice | null;
  readonly echo: JsonValue;
}

/** True if the list in `tools` has tools that only a vendor can run, which are omitted. */
export function hasServerTools({ values: { tools } }: Fields): boolean {
  return Array.isArray(tools) && (tools as readonly Readonly<Record<string, unknown>>[]).some(isServerTool);
}

function isServerTool({ type, execution, tools }: Readonly<Record<string, unknown>>): boolean {
  if (type === SEARCH_TOOL) return execution !== 'client';
  if (type === 'namespace' && Array.isArray(tools)) return (tools as readonly Readonly<Record<string, unknown>>[]).some(isServerTool);
  return !CLIENT_TYPES.has(String(type));
}

/** Decodes the choice, which may restrict the tools. `omitsTools`: some tools of the request were omitted. */
export function decodeToolUse(body: Fields, offered: readonly Tool[], omitsTools: boolean): ToolUse {
  const chosen = optional(body, 'tool_choice', decodeChoice);
  if (chosen === null) return { tools: offered, choice: null, echo: 'auto' };
  const tools = chosen.allowed === null ? offered : allowedTools(offered, chosen.allowed);
  return { tools, choice: checkToolChoice(chosen.choice, tools, omitsTools), echo: chosen.echo };
}
