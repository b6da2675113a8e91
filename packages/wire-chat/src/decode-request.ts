import {
  DEFAULT_REQUEST_LIMITS, type DecodedRequest, type DecodeTerms, type GenerationRequest, type RequestLimits, type RequestSource, type Sampling,
  tokenCount, type TokenCount, type Tool, type ToolChoice,
} from '@tollgate/core';
import {
  checkToolChoice, decodeAttribution, decodeBody, decodeBoolean, decodeCacheKey, decodeDocument, decodeEffort, decodeIntegerFrom, decodeListWithin,
  decodeModelName, decodeNonEmptyString, decodeNumberAbove, decodeNumberWithin, decodeObject, decodeOnce, decodeOneOf, type Decoder,
  decodeReplyFormat, decodersWithin, decodeString, decodeThinking, type Fields, invalidField, isPresent, MAX_USER_CHARACTERS, NO_SERVER_TOOLS,
  optional, PLAIN_REPLY, reasoningOf, REFUSED_FIELDS, refuseStoredState, required,
} from '@tollgate/wire-kit';
import { decodeConversationWithin } from './decode-messages.js';

/** Chat completions have no other tools that a model here can call. */
const decodeFunctionType: Decoder<'function'> = (value, within, key) => {
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
  };
};

const decodeNamedChoice = decodeOneOf<ToolChoice>(new Map<string, ToolChoice>([
  ['none', { kind: 'none' }], ['auto', { kind: 'auto' }], ['required', { kind: 'any' }],
]));

/** `none`, `auto`, `required`, or the function that must be called. */
const decodeToolChoice: Decoder<ToolChoice> = (value, within, key) => {
  if (typeof value === 'string') return decodeNamedChoice(value, within, key);
  const choice = decodeObject(value, within, key);
  required(choice, 'type', decodeFunctionType);
  return { kind: 'tool', name: required(required(choice, 'function', decodeObject), 'name', decodeNonEmptyString) };
};

const decodePositiveInteger = decodeIntegerFrom(1);
const decodeTemperature = decodeNumberWithin(0, 2);
const decodePenalty = decodeNumberWithin(-2, 2);
const decodeTopP = decodeNumberAbove(0, 1);
const decodeUser = decodeAttribution(MAX_USER_CHARACTERS);

const decodeMaxTokens: Decoder<TokenCount> = (value, within, key) => tokenCount(decodePositiveInteger(value, within, key));

function decodeStopWithin(limits: RequestLimits): Decoder<readonly string[]> {
  const decodeStopList = decodeListWithin(limits, 'stopSequences', decodeNonEmptyString);
  return (value, within, key) => (typeof value === 'string' ? [decodeNonEmptyString(value, within, key)] : decodeStopList(value, within, key));
}

/** The decoders of what the limits bound. */
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

/** Ignoring these would silently take the model's tools away. */
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

/** Both names are checked; the newer one counts. */
function decodeMaxOutputTokens(body: Fields): TokenCount | null {
  const older = optional(body, 'max_tokens', decodeMaxTokens);
  return optional(body, 'max_completion_tokens', decodeMaxTokens) ?? older;
}

function decodeGeneration(body: Fields, limits: RequestLimits, source: RequestSource | null): GenerationRequest {
  const decode = boundedDecoders(limits);
  const model = required(body, 'model', decodeModelName);
  const conversation = required(body, 'messages', decode.conversation);
  const tools = optional(body, 'tools', decode.tools) ?? [];
  const parallelToolCalls = optional(body, 'parallel_tool_calls', decodeBoolean);
  const cacheKey = optional(body, 'prompt_cache_key', decodeCacheKey);
  return {
    model,
    conversation,
    tools,
    toolChoice: checkToolChoice(optional(body, 'tool_choice', decodeToolChoice), tools),
    parallelToolCalls: tools.length === 0 ? null : parallelToolCalls,
    maxOutputTokens: decodeMaxOutputTokens(body),
    sampling: decodeSampling(body),
    stopSequences: optional(body, 'stop', decode.stop) ?? [],
    reasoning: reasoningOf(optional(body, 'thinking', decodeThinking), optional(body, 'reasoning_effort', decodeEffort)),
    ...(optional(body, 'response_format', decodeReplyFormat) ?? PLAIN_REPLY),
    attribution: optional(body, 'user', decodeUser),
    ...(cacheKey === null ? {} : { cacheKey }),
    source,
  };
}

/** Reads a chat-completions request. Throws `GatewayError('invalid_request')` that names the field; fields it does not know are ignored. */
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
