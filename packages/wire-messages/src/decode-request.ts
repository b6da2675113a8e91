import {
  DEFAULT_REQUEST_LIMITS, type DecodedRequest, type DecodeTerms, type GenerationRequest, type Reasoning, type RequestSource,
  type Sampling, type ToolChoice,
} from '@tollgate/core';
import {
  arrangeTurns, cacheMarkIn, checkToolChoice, decodeAttribution, decodeBody, decodeBoolean, decodeEffort,
  decodeListWithin, decodeMaxTokens, decodeModelName, decodeNonEmptyString, decodeNumber, decodeNumberAbove, decodeNumberWithin, decodeObject,
  decodeOneOf, type Decoder, decodeReplyFormat, decodersWithin, decodeThinking, type Fields,
  MAX_METADATA_USER_ID_CHARACTERS, omittedSettings, optional, PLAIN_REPLY, reasoningOf, REFUSED_FIELDS, refuseStoredState, type ReplyFormat, required,
} from '@tollgate/wire-kit';
import { decodeMessagesWithin, decodeSystem } from './decode-messages.js';
import { decodeToolsWithin, NO_TOOLS } from './decode-tools.js';
import { toolsAfter } from './system-changes.js';

const boundedDecoders = decodersWithin((limits) => ({
  messages: decodeMessagesWithin(limits),
  tools: decodeToolsWithin(limits),
  stopSequences: decodeListWithin(limits, 'stopSequences', decodeNonEmptyString),
}));

const decodeChoiceType = decodeOneOf(new Map<string, (choice: Fields) => ToolChoice>([
  ['auto', () => ({ kind: 'auto' })],
  ['any', () => ({ kind: 'any' })],
  ['none', () => ({ kind: 'none' })],
  ['tool', (choice) => ({ kind: 'tool', name: required(choice, 'name', decodeNonEmptyString) })],
]));

/** The choice among the tools, and whether calls may be parallel. One field of the format contains both. */
export interface ToolUse {
  readonly choice: ToolChoice | null;
  readonly parallel: boolean | null;
}

const UNSAID_TOOL_USE: ToolUse = { choice: null, parallel: null };

const decodeToolUse: Decoder<ToolUse> = (value, within, key) => {
  const fields = decodeObject(value, within, key);
  const disabled = optional(fields, 'disable_parallel_tool_use', decodeBoolean);
  return { choice: required(fields, 'type', decodeChoiceType)(fields), parallel: disabled === null ? null : !disabled };
};

const decodeTemperature = decodeNumberWithin(0, 1);
const decodeTopP = decodeNumberAbove(0, 1);
const decodeUserId = decodeAttribution(MAX_METADATA_USER_ID_CHARACTERS);

const decodeMetadata: Decoder<string | null> = (value, within, key) =>
  optional(decodeObject(value, within, key), 'user_id', decodeUserId);

interface OutputConfig {
  readonly effort: Reasoning | null;
  readonly format: ReplyFormat | null;
}

const NO_CONFIG: OutputConfig = { effort: null, format: null };

const decodeOutputConfig: Decoder<OutputConfig> = (value, within, key) => {
  const config = decodeObject(value, within, key);
  return { effort: optional(config, 'effort', decodeEffort), format: optional(config, 'format', decodeReplyFormat) };
};

/** Decodes sampling parameters; `top_k` is validated and not applied. */
function decodeSampling(body: Fields): Sampling {
  optional(body, 'top_k', decodeNumber);
  return {
    temperature: optional(body, 'temperature', decodeTemperature),
    topP: optional(body, 'top_p', decodeTopP),
    frequencyPenalty: null,
    presencePenalty: null,
  };
}

/** Reads a field as required or optional: a generation requires `max_tokens`, a token count does not. */
type ReadField = <T>(fields: Fields, name: string, decode: Decoder<T>) => T | null;

interface Circumstances {
  readonly readMaxTokens: ReadField;
  readonly source: RequestSource | null;
  readonly terms: Pick<DecodeTerms, 'limits'> | undefined;
}

function decodeGeneration(body: Fields, { readMaxTokens, source, terms }: Circumstances): GenerationRequest {
  const limits = terms?.limits ?? DEFAULT_REQUEST_LIMITS;
  const decode = boundedDecoders(limits);
  refuseStoredState(body, REFUSED_FIELDS);
  const model = required(body, 'model', decodeModelName);
  const maxOutputTokens = readMaxTokens(body, 'max_tokens', decodeMaxTokens);
  const { turns, effort, toolChanges, hasServerTools: addsServerTools } = required(body, 'messages', decode.messages);
  const system = optional(body, 'system', decodeSystem) ?? [];
  const offered = optional(body, 'tools', decode.tools) ?? NO_TOOLS;
  const hasServerTools = offered.hasServerTools || addsServerTools;
  const tools = toolsAfter(offered.tools, toolChanges, limits);
  const toolUse = optional(body, 'tool_choice', decodeToolUse) ?? UNSAID_TOOL_USE;
  const output = optional(body, 'output_config', decodeOutputConfig) ?? NO_CONFIG;
  // `output_format` is the earlier name of `output_config.format`.
  const olderFormat = optional(body, 'output_format', decodeReplyFormat);
  return {
    model,
    conversation: arrangeTurns(system, turns),
    tools,
    toolChoice: checkToolChoice(toolUse.choice, tools, hasServerTools),
    parallelToolCalls: tools.length === 0 ? null : toolUse.parallel,
    maxOutputTokens,
    sampling: decodeSampling(body),
    stopSequences: optional(body, 'stop_sequences', decode.stopSequences) ?? [],
    // Thinking is opt-in in this format, and an effort alone does not turn it on.
    reasoning: reasoningOf(optional(body, 'thinking', decodeThinking) ?? 'off', effort ?? output.effort),
    ...(output.format ?? olderFormat ?? PLAIN_REPLY),
    attribution: optional(body, 'metadata', decodeMetadata),
    ...cacheMarkIn(body),
    ...omittedSettings(body, hasServerTools),
    source,
  };
}

/** Decodes a messages request; ignores unknown fields. Throws `GatewayError('invalid_request')` with the field as `param`. */
export function decodeRequest(body: unknown, source: RequestSource | null = null, terms?: Pick<DecodeTerms, 'limits'>): DecodedRequest {
  const fields = decodeBody(body);
  const generation = decodeGeneration(fields, { readMaxTokens: required, source, terms });
  const delivery = (optional(fields, 'stream', decodeBoolean) ?? false) ? 'stream' : 'whole';
  return { generation, delivery, includeUsage: true, outputField: 'max_tokens' };
}

/** Decodes a request to count tokens: a messages request in which `max_tokens` is optional. */
export function decodeTokenCount(body: unknown, terms?: Pick<DecodeTerms, 'limits'>): GenerationRequest {
  return decodeGeneration(decodeBody(body), { readMaxTokens: optional, source: null, terms });
}
