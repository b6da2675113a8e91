import {
  type AnthropicOptions, type AnthropicUpstream, type Conversation, type GenerationRequest, type IdGenerator, isBlank,
  type JsonObject, type OutputSchema, type ProviderCall, type Reasoning, type Sampling, type TextBlock, type ThinkingStyle, type TokenCount, type Tool,
} from '@tollgate/core';
import { JsonText, oncePer, type Printable, printerFor, printList, printObject } from '@tollgate/json-text';
import { cacheFields, encodeTexts, encodeTurns, isSentThinking, type TurnTerms } from './encode-turns.js';
import { encodeBody, type EncodedRequest, isRuled, joinTexts, objectSchema, sentAttribution } from '../http/request-body.js';
import { type Dialect, HttpProvider, type ProviderPorts, type UpstreamProvider } from '../http/upstream-provider.js';
import { MessagesReplyAssembler } from './messages-reply-assembler.js';
import type { SocketPorts } from '../http/upstream-sockets.js';
import { DEFAULT_SERVER_OPTIONS, UpstreamConnection, versionedUrl } from '../http/connection.js';

export const DEFAULT_ANTHROPIC_OPTIONS: AnthropicOptions = {
  ...DEFAULT_SERVER_OPTIONS,
  toolCallIdLimit: 64,
  authentication: 'api-key',
  cacheControl: 'omitted',
  reasoningStyle: 'budget',
  reasoningReplay: 'signed',
  systemTurns: 'as-user',
  stopSequenceLimit: 16,
};

/** The messages format. Tool calls that come without an id get one. */
function anthropicDialect(options: AnthropicOptions, ids: Pick<IdGenerator, 'responseId'>): Dialect {
  return {
    endpoint: '/messages',
    callIdLimit: options.toolCallIdLimit,
    encodeRequest: (call, { reasoning, continuation }) => encodeMessagesRequest(call, reasoning, continuation === 'sent' ? options : { ...options, reasoningReplay: 'omitted' }),
    hasReasoningField: (call, reasoning) => saysThinking(call, reasoning, options.reasoningStyle),
    foregoesReasoning: (call, reasoning) => foregoesThinking(call, reasoning, options),
    assemblerFor: (call, writer) => new MessagesReplyAssembler(writer, {
      newToolCallId: () => ids.responseId('toolu_'),
      localStopSequences: divideStopSequences(call.request.stopSequences, isRuled(call, ['stop_sequences']) ? 0 : options.stopSequenceLimit).local,
      modelReasons: call.model.reasoning,
    }),
  };
}

/** The only version of the format there is. */
const FORMAT_VERSION = '2023-06-01';

/** Generates with a server that speaks the messages format. */
export function anthropicProvider(definition: AnthropicUpstream, ports: ProviderPorts): UpstreamProvider {
  const dialect = anthropicDialect(optionsOf(definition), ports.ids);
  return new HttpProvider({ connection: anthropicConnection(definition, ports), dialect, ports });
}

/** The connections to such a server. */
export function anthropicConnection(definition: AnthropicUpstream, ports: SocketPorts): UpstreamConnection {
  const options = optionsOf(definition);
  const headers = { 'anthropic-version': FORMAT_VERSION, ...credentials(definition.apiKey, options) };
  return new UpstreamConnection({ baseUrl: versionedUrl(definition.baseUrl), headers, options }, ports);
}

function optionsOf({ options }: AnthropicUpstream): AnthropicOptions {
  return { ...DEFAULT_ANTHROPIC_OPTIONS, ...options };
}

function credentials(apiKey: string | null, { authentication }: AnthropicOptions): Readonly<Record<string, string>> {
  if (apiKey === null) return {};
  return authentication === 'bearer' ? { authorization: `Bearer ${apiKey}` } : { 'x-api-key': apiKey };
}

/** Who looks out for which stop sequence. */
export interface DividedStopSequences {
  readonly upstream: readonly string[];
  /** Those the server would refuse: too many of them, or nothing but white space. */
  readonly local: readonly string[];
}

/** Gives the server as many as it takes, in the client's order. */
export function divideStopSequences(sequences: readonly string[], limit: number): DividedStopSequences {
  const upstream = sequences.filter((sequence) => !isBlank(sequence)).slice(0, limit);
  return { upstream, local: sequences.filter((sequence) => !upstream.includes(sequence)) };
}

export interface ThinkingTerms {
  readonly reasoning: Reasoning;
  readonly style: ThinkingStyle;
  readonly turns: TurnTerms;
}

export interface EncodedThinking {
  /** The `thinking` field; `null` leaves it out. */
  readonly thinking: JsonObject | null;
  /** What belongs into `output_config`. */
  readonly outputConfig: JsonObject;
  /** `on` when the request asks for thinking, which other fields must then go together with. */
  readonly state: 'on' | 'off';
}

type Amount = Exclude<Reasoning, 'model-default' | 'off'>;

const UNSAID: EncodedThinking = { thinking: null, outputConfig: {}, state: 'off' };
const DISABLED: EncodedThinking = { thinking: { type: 'disabled' }, outputConfig: {}, state: 'off' };

/** Tokens to think with. `on` leaves the amount to the model, which the format does not let one do. */
const BUDGETS: Readonly<Record<Amount, number>> = { low: 2_048, on: 8_192, high: 16_384, max: 32_768 };
/** The least the format takes. */
const SMALLEST_BUDGET = 1_024;
/** The rest of the output is for the answer. */
const GREATEST_SHARE_OF_OUTPUT = 3 / 4;

/** Whether the request says anything of thinking. */
function saysThinking({ model }: ProviderCall, reasoning: Reasoning, style: ThinkingStyle): reasoning is Amount | 'off' {
  if (!model.reasoning || style === 'none' || reasoning === 'model-default') return false;
  return style !== 'off-only' || reasoning === 'off';
}

/** The fields that ask a reasoning model for this much thinking. It is off where the server would refuse it. */
function encodeThinking(call: ProviderCall, { reasoning, style, turns }: ThinkingTerms): EncodedThinking {
  if (!saysThinking(call, reasoning, style)) return UNSAID;
  if (reasoning === 'off' || forcesToolCall(call)) return DISABLED;
  if (style === 'adaptive') return adaptive(reasoning);
  const budget = budgetWithin(call.maxOutputTokens, reasoning);
  if (budget < SMALLEST_BUDGET || lacksItsThinking(call.request.conversation, turns)) return DISABLED;
  return { thinking: { type: 'enabled', budget_tokens: budget }, outputConfig: {}, state: 'on' };
}

function foregoesThinking(call: ProviderCall, reasoning: Reasoning, options: AnthropicOptions): boolean {
  if (reasoning === 'off' || !saysThinking(call, reasoning, options.reasoningStyle)) return false;
  return encodeThinking(call, { reasoning, style: options.reasoningStyle, turns: turnTermsOf(call, options) }).state === 'off';
}

function adaptive(amount: Amount): EncodedThinking {
  return { thinking: { type: 'adaptive' }, outputConfig: amount === 'on' ? {} : { effort: amount }, state: 'on' };
}

function budgetWithin(maxOutputTokens: TokenCount, amount: Amount): number {
  return Math.min(BUDGETS[amount], Math.floor(maxOutputTokens * GREATEST_SHARE_OF_OUTPUT));
}

/** A model that must call a tool cannot think first. */
function forcesToolCall({ request: { toolChoice, tools } }: ProviderCall): boolean {
  return tools.length > 0 && (toolChoice?.kind === 'any' || toolChoice?.kind === 'tool');
}

/** With a budget, a turn that called tools must come back with the thinking that led to it; clients of the chat format cannot sign theirs. */
function lacksItsThinking({ turns }: Conversation, terms: TurnTerms): boolean {
  const last = turns.findLast((turn) => turn.role === 'assistant');
  if (last === undefined || !last.content.some((block) => block.type === 'tool-call')) return false;
  return !last.content.some((block) => block.type === 'thinking' && isSentThinking(block, terms));
}

const NO_PARAMETERS: JsonObject = { type: 'object' };

/** `tools` and the choice among them; nothing at all without tools. */
function encodeTools(request: GenerationRequest, caching: TurnTerms['caching']): Readonly<Record<string, Printable | undefined>> {
  if (request.tools.length === 0) return {};
  return { tools: caching === 'sent' ? printMarkedTools(request.tools) : printTools(request.tools), tool_choice: encodeToolChoice(request) };
}

/** Once for each list, since agents send the same dozens of tools with every request. */
const printTools = oncePer((tools: readonly Tool[]) => printList(tools.map((tool) => encodeTool(tool, 'omitted'))));
const printMarkedTools = oncePer((tools: readonly Tool[]) => printList(tools.map((tool) => encodeTool(tool, 'sent'))));

function encodeTool(tool: Tool, caching: TurnTerms['caching']): JsonText {
  const { name, description, inputSchema } = tool;
  return printObject({
    name, description: description ?? undefined, input_schema: inputSchema === null ? NO_PARAMETERS : objectSchema(inputSchema), ...cacheFields(tool, { caching }),
  });
}

/** Calls one at a time are a matter of the choice, so asking for them takes one. */
function encodeToolChoice({ toolChoice, parallelToolCalls }: GenerationRequest): JsonObject | undefined {
  if (toolChoice?.kind === 'none') return { type: 'none' };
  const sequential = parallelToolCalls === false ? { disable_parallel_tool_use: true } : {};
  if (toolChoice === null) return parallelToolCalls === false ? { type: 'auto', ...sequential } : undefined;
  return toolChoice.kind === 'tool' ? { type: 'tool', name: toolChoice.name, ...sequential } : { type: toolChoice.kind, ...sequential };
}

/** Where a server enforces no schema: the format has no other field for JSON. */
const JSON_INSTRUCTION = 'Answer with a single JSON object and nothing else: no text around it and no code fence.';
/** The format's scale ends where the chat format's is half way. */
const HIGHEST_TEMPERATURE = 1;
/** Servers refuse a lower one beside thinking, and any temperature of one's own. */
const LOWEST_TOP_P_BESIDE_THINKING = 0.95;

/**
 * The body of `POST /v1/messages` for this call, asking for this reasoning. What the client did not say is left out;
 * penalties have no place in the format.
 */
export function encodeMessagesRequest(call: ProviderCall, reasoning: Reasoning, options: AnthropicOptions): EncodedRequest {
  const { target, request, maxOutputTokens, delivery } = call;
  const terms = turnTermsOf(call, options);
  const thinking = encodeThinking(call, { reasoning, style: options.reasoningStyle, turns: terms });
  const stop = divideStopSequences(request.stopSequences, options.stopSequenceLimit).upstream;
  const schema = options.jsonSchema === 'schema' ? request.outputSchema : null;
  return encodeBody({
    model: target.upstreamModel,
    system: encodeSystem(request, schema, terms),
    messages: encodeTurns(request.conversation, terms),
    max_tokens: maxOutputTokens,
    ...encodeSampling(request.sampling, thinking.state),
    stop_sequences: stop.length === 0 ? undefined : stop,
    ...encodeTools(request, terms.caching),
    ...cacheFields(request, terms),
    thinking: thinking.thinking ?? undefined,
    output_config: encodeOutputConfig(thinking.outputConfig, schema),
    metadata: encodeMetadata(request, options),
    stream: delivery === 'stream',
  }, call, options.extraBody);
}

/** Of `metadata.user_id`. */
const MAX_USER_ID_CHARACTERS = 256;

function encodeMetadata(request: GenerationRequest, options: AnthropicOptions): JsonObject | undefined {
  const userId = sentAttribution(request, { options, limit: MAX_USER_ID_CHARACTERS });
  return userId === undefined ? undefined : { user_id: userId };
}

function turnTermsOf({ model, request }: ProviderCall, { reasoningReplay, systemTurns, cacheControl }: AnthropicOptions): TurnTerms {
  return { caching: cacheControl, thinking: model.reasoning ? reasoningReplay : 'omitted', systemTurns, texts: printerFor(request.source).texts };
}

function encodeSystem({ conversation, responseFormat }: GenerationRequest, schema: OutputSchema | null, terms: TurnTerms): JsonText | undefined {
  const instruction = responseFormat === 'json' && schema === null ? [{ type: 'text' as const, text: JSON_INSTRUCTION }] : [];
  const blocks: readonly TextBlock[] = [...conversation.system, ...instruction].filter(({ text }) => !isBlank(text));
  if (blocks.length === 0) return undefined;
  if (terms.caching === 'sent' && blocks.some(({ cacheMark }) => cacheMark !== undefined)) return encodeTexts(blocks, terms);
  return new JsonText(terms.texts.print(joinTexts(blocks)));
}

/** `output_config`: how much to think, and the schema for a server that enforces it. */
function encodeOutputConfig(config: JsonObject, outputSchema: OutputSchema | null): Printable | undefined {
  if (outputSchema !== null) return printObject({ ...config, format: printObject({ type: 'json_schema', schema: new JsonText(outputSchema.schema.text) }) });
  return Object.keys(config).length === 0 ? undefined : config;
}

/** Current models refuse both in one request, so the temperature goes alone. */
function encodeSampling({ temperature, topP }: Sampling, thinking: 'on' | 'off'): JsonObject {
  if (thinking === 'on') return topP === null || topP < LOWEST_TOP_P_BESIDE_THINKING ? {} : { top_p: topP };
  if (temperature !== null) return { temperature: Math.min(temperature, HIGHEST_TEMPERATURE) };
  return topP === null ? {} : { top_p: topP };
}
