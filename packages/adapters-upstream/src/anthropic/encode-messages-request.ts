import {
  type AnthropicOptions, type GenerationRequest, isBlank, type JsonObject, type OutputSchema, type ProviderCall, type Reasoning, type Sampling,
  type TextBlock, type Tool,
} from '@tollgate/core';
import { JsonText, oncePer, type Printable, printList, printObject } from '@tollgate/json-text';
import { encodeBody, type EncodedRequest } from '../request/encode-body.js';
import { joinTexts } from '../request/join-texts.js';
import { objectSchema } from '../request/object-schema.js';
import { sentAttribution } from '../request/optional-fields.js';
import { encodeThinking, turnTermsOf } from './encode-thinking.js';
import { cacheFields, encodeTexts, encodeTurns, type TurnTerms } from './encode-turns.js';

/** Stop sequences that the server enforces, and those that the gateway must enforce itself. */
export interface DividedStopSequences {
  readonly upstream: readonly string[];
  /** Sequences beyond the server's limit, and those of whitespace only, which servers refuse. */
  readonly local: readonly string[];
}

/** Keeps the client's order: the first `limit` sequences that are not blank go to the server. */
export function divideStopSequences(sequences: readonly string[], limit: number): DividedStopSequences {
  const upstream = sequences.filter((sequence) => !isBlank(sequence)).slice(0, limit);
  return { upstream, local: sequences.filter((sequence) => !upstream.includes(sequence)) };
}

const NO_PARAMETERS: JsonObject = { type: 'object' };

function encodeTools(request: GenerationRequest, caching: TurnTerms['caching']): Readonly<Record<string, Printable | undefined>> {
  if (request.tools.length === 0) return {};
  return { tools: caching === 'sent' ? printMarkedTools(request.tools) : printTools(request.tools), tool_choice: encodeToolChoice(request) };
}

/** Caches the printed tools per list object: the parser returns the same object while an agent repeats its tools. */
const printTools = oncePer((tools: readonly Tool[]) => printList(tools.map((tool) => encodeTool(tool, 'omitted'))));
const printMarkedTools = oncePer((tools: readonly Tool[]) => printList(tools.map((tool) => encodeTool(tool, 'sent'))));

function encodeTool(tool: Tool, caching: TurnTerms['caching']): JsonText {
  const { name, description, inputSchema } = tool;
  return printObject({
    name, description: description ?? undefined, input_schema: inputSchema === null ? NO_PARAMETERS : objectSchema(inputSchema), ...cacheFields(tool, { caching }),
  });
}

/** Forbidding parallel calls requires a tool choice, because `disable_parallel_tool_use` is one of its fields. */
function encodeToolChoice({ toolChoice, parallelToolCalls }: GenerationRequest): JsonObject | undefined {
  if (toolChoice?.kind === 'none') return { type: 'none' };
  const sequential = parallelToolCalls === false ? { disable_parallel_tool_use: true } : {};
  if (toolChoice === null) return parallelToolCalls === false ? { type: 'auto', ...sequential } : undefined;
  return toolChoice.kind === 'tool' ? { type: 'tool', name: toolChoice.name, ...sequential } : { type: toolChoice.kind, ...sequential };
}

/** Replaces JSON mode, which the format lacks, for servers that enforce no schema. */
const JSON_INSTRUCTION = 'Answer with a single JSON object and nothing else: no text around it and no code fence.';
/** The messages format's maximum; the chat format allows up to 2. */
const HIGHEST_TEMPERATURE = 1;
/** The lowest `top_p` that servers accept together with thinking; they accept no temperature then. */
const LOWEST_TOP_P_BESIDE_THINKING = 0.95;

/** The body of `POST /v1/messages`. Unset parameters are omitted; the format has no frequency or presence penalty. */
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

const MAX_USER_ID_CHARACTERS = 256;

function encodeMetadata(request: GenerationRequest, options: AnthropicOptions): JsonObject | undefined {
  const userId = sentAttribution(request, { options, limit: MAX_USER_ID_CHARACTERS });
  return userId === undefined ? undefined : { user_id: userId };
}

function encodeSystem({ conversation, responseFormat }: GenerationRequest, schema: OutputSchema | null, terms: TurnTerms): JsonText | undefined {
  const instruction = responseFormat === 'json' && schema === null ? [{ type: 'text' as const, text: JSON_INSTRUCTION }] : [];
  const blocks: readonly TextBlock[] = [...conversation.system, ...instruction].filter(({ text }) => !isBlank(text));
  if (blocks.length === 0) return undefined;
  if (terms.caching === 'sent' && blocks.some(({ cacheMark }) => cacheMark !== undefined)) return encodeTexts(blocks, terms);
  return new JsonText(terms.texts.print(joinTexts(blocks)));
}

/** The thinking effort, and the schema if the server enforces it. */
function encodeOutputConfig(config: JsonObject, outputSchema: OutputSchema | null): Printable | undefined {
  if (outputSchema !== null) return printObject({ ...config, format: printObject({ type: 'json_schema', schema: new JsonText(outputSchema.schema.text) }) });
  return Object.keys(config).length === 0 ? undefined : config;
}

/** Current models refuse `temperature` and `top_p` in one request; the temperature is preferred. */
function encodeSampling({ temperature, topP }: Sampling, thinking: 'on' | 'off'): JsonObject {
  if (thinking === 'on') return topP === null || topP < LOWEST_TOP_P_BESIDE_THINKING ? {} : { top_p: topP };
  if (temperature !== null) return { temperature: Math.min(temperature, HIGHEST_TEMPERATURE) };
  return topP === null ? {} : { top_p: topP };
}
