import {
  DEFAULT_REQUEST_LIMITS, type DecodedRequest, type DecodeTerms, type GenerationRequest, type RequestLimits, type RequestSource, type Sampling,
  type TokenCount, type Tool, type ToolChoice,
} from '@tollgate/core';
import {
  allowedTools, cacheMarkIn, checkToolChoice, decodeBody, decodeBoolean, decodeCacheKey, decodeDocument, decodeEffort, decodeListOf, decodeListWithin, decodeMaxTokens,
  decodeModelName, decodeNonEmptyString, decodeNumberAbove, decodeNumberWithin, decodeObject, decodeOnce, decodeOneOf, type Decoder,
  decodeReplyFormat, decodersWithin, decodeString, decodeThinking, decodeUserName, type Fields, invalidField, isPresent, NO_SERVER_TOOLS,
  omittedSettings, optional, PLAIN_REPLY, reasoningOf, REFUSED_FIELDS, refuseStoredState, required, withCacheMark,
} from '@tollgate/wire-kit';
import { decodeConversationWithin } from './decode-messages.js';

/** Decodes a tool's `type`: the chat format has only functions. */
const decodeFunctionType: Decoder<'function'> = (value, within, key) => {
  if (value === 'custom') throw invalidField(within, key, "must be 'function'; custom tools are offered in the responses format");
  if (value !== 'function') throw invalidField(within, key, `must be 'function'; ${NO_SERVER_TOOLS}`);
  return value;
};

const decodeTool: Decoder<Tool> = (value, within, key) => {
  const tool = decodeObject(value, within, key);
  required(tool, 'type', decodeFunctionType);
  const described = required(tool, 'function', decodeObject);
  return {
    name: required(described, 'name', decodeNonEmptyString),
    description: optional(described, 'description', decodeString),
    inputSchema: optional(described, 'parameters', decodeDocument),
    ...cacheMarkIn(described),
    ...cacheMarkIn(tool),
  };
};

const decodeNamedChoice = decodeOneOf<ToolChoice>(new Map<string, ToolChoice>([
  ['none', { kind: 'none' }], ['auto', { kind: 'auto' }], ['required', { kind: 'any' }],
]));

const decodeFunctionName: Decoder<string> = (value, within, key) => {
  const named = decodeObject(value, within, key);
  required(named, 'type', decodeFunctionType);
  return required(required(named, 'function', decodeObject), 'name', decodeNonEmptyString);
};

const decodeAllowedMode = decodeOneOf<ToolChoice>(new Map<string, ToolChoice>([['auto', { kind: 'auto' }], ['required', { kind: 'any' }]]));
const decodeFunctionNames = decodeListOf(decodeFunctionName);

/** The choice of tools. `allowed` names the tools that may be called; `null` allows all. */
interface Chosen {
  readonly choice: ToolChoice | null;
  readonly allowed: readonly string[] | null;
}

const ANY_CHOICE: Chosen = { choice: null, allowed: null };

/** Decodes `none`, `auto`, `required`, one function, or a set of allowed functions. */
const decodeToolChoice: Decoder<Chosen> = (value, within, key) => {
  if (typeof value === 'string') return { choice: decodeNamedChoice(value, within, key), allowed: null };
  const fields = decodeObject(value, within, key);
  if (fields.values['type'] !== 'allowed_tools') return { choice: { kind: 'tool', name: decodeFunctionName(value, within, key) }, allowed: null };
  const allowed = required(fields, 'allowed_tools', decodeObject);
  return { choice: required(allowed, 'mode', decodeAllowedMode), allowed: required(allowed, 'tools', decodeFunctionNames) };
};

const decodeTemperature = decodeNumberWithin(0, 2);
const decodePenalty = decodeNumberWithin(-2, 2);
const decodeTopP = decodeNumberAbove(0, 1);

function decodeStopWithin(limits: RequestLimits): Decoder<readonly string[]> {
  const decodeStopList = decodeListWithin(limits, 'stopSequences', decodeNonEmptyString);
  return (value, within, key) => (typeof value === 'string' ? [decodeNonEmptyString(value, within, key)] : decodeStopList(value, within, key));
}

const boundedDecoders = decodersWithin((limits) => ({
  conversation: decodeConversationWithin(limits),
  tools: decodeOnce(decodeListWithin(limits, 'tools', decodeTool)),
  stop: decodeStopWithin(limits),
}));

const decodeStreamOptions: Decoder<boolean> = (value, within, key) =>
  optional(decodeObject(value, within, key), 'include_usage', decodeBoolean) ?? true;

const decodeChoiceCount: Decoder<1> = (value, within, key) => {
  if (value !== 1) throw invalidField(within, key, 'must be 1: one choice is generated per request');
  return value;
};

/** Refuses retired fields: ignoring them would silently remove the model's tools. */
function refuseRetiredFields(body: Fields): void {
  for (const name of ['functions', 'function_call']) {
    if (isPresent(body, name)) throw invalidField(null, name, `is a retired form that is not supported; use 'tools' and 'tool_choice'`);
  }
}

function decodeSampling(body: Fields): Sampling {
  return {
    temperature: optional(body, 'temperature', decodeTemperature),
    topP: optional(body, 'top_p', decodeTopP),
    frequencyPenalty: optional(body, 'frequency_penalty', decodePenalty),
    presencePenalty: optional(body, 'presence_penalty', decodePenalty),
  };
}

/** Decodes the output limit. Both names are validated; the newer one counts. */
function decodeMaxOutputTokens(body: Fields): TokenCount | null {
  const older = optional(body, 'max_tokens', decodeMaxTokens);
  return optional(body, 'max_completion_tokens', decodeMaxTokens) ?? older;
}

function decodeGeneration(body: Fields, limits: RequestLimits, source: RequestSource | null): GenerationRequest {
  const decode = boundedDecoders(limits);
  const model = required(body, 'model', decodeModelName);
  const conversation = required(body, 'messages', decode.conversation);
  const offered = optional(body, 'tools', decode.tools) ?? [];
  const chosen = optional(body, 'tool_choice', decodeToolChoice) ?? ANY_CHOICE;
  const tools = chosen.allowed === null ? offered : allowedTools(offered, chosen.allowed);
  const parallelToolCalls = optional(body, 'parallel_tool_calls', decodeBoolean);
  const cacheKey = optional(body, 'prompt_cache_key', decodeCacheKey);
  const toolChoice = checkToolChoice(chosen.choice, tools);
  const maxOutputTokens = decodeMaxOutputTokens(body);
  const sampling = decodeSampling(body);
  const stopSequences = optional(body, 'stop', decode.stop) ?? [];
  const reasoning = reasoningOf(optional(body, 'thinking', decodeThinking), optional(body, 'reasoning_effort', decodeEffort));
  const { responseFormat, outputSchema } = optional(body, 'response_format', decodeReplyFormat) ?? PLAIN_REPLY;
  const generation: GenerationRequest = {
    model,
    conversation,
    tools,
    toolChoice,
    parallelToolCalls: tools.length === 0 ? null : parallelToolCalls,
    maxOutputTokens,
    sampling,
    stopSequences,
    reasoning,
    responseFormat,
    outputSchema,
    attribution: decodeUserName(body),
    ...omittedSettings(body),
    source,
  };
  return withCacheMark(cacheKey === null ? generation : { ...generation, cacheKey }, body);
}

/** Decodes a chat request; ignores unknown fields. Throws `GatewayError('invalid_request')` with the field as `param`. */
export function decodeRequest(body: unknown, source: RequestSource | null = null, terms?: Pick<DecodeTerms, 'limits'>): DecodedRequest {
  const fields = decodeBody(body);
  refuseRetiredFields(fields);
  refuseStoredState(fields, REFUSED_FIELDS);
  const generation = decodeGeneration(fields, terms?.limits ?? DEFAULT_REQUEST_LIMITS, source);
  optional(fields, 'n', decodeChoiceCount);
  return {
    generation,
    delivery: (optional(fields, 'stream', decodeBoolean) ?? false) ? 'stream' : 'whole',
    includeUsage: optional(fields, 'stream_options', decodeStreamOptions) ?? true,
    outputField: isPresent(fields, 'max_completion_tokens') ? 'max_completion_tokens' : 'max_tokens',
  };
}
