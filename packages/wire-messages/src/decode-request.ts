import { type DecodedRequest, type GenerationRequest, type RequestSource, type Reasoning, type Sampling, tokenCount, type TokenCount } from '@tollgate/core';
import {
  arrangeTurns, checkToolChoice, decodeAttribution, decodeBody, decodeBoolean, type Decoder, decodeEffort, decodeIntegerFrom,
  decodeListUpTo, decodeModelName, decodeNonEmptyString, decodeNumber, decodeNumberAbove, decodeNumberWithin, decodeObject, decodeReplyFormat,
  decodeThinking, type Fields, MAX_METADATA_USER_ID_CHARACTERS, MAX_STOP_SEQUENCES, optional, PLAIN_REPLY, reasoningOf, type ReplyFormat, required,
} from '@tollgate/wire-kit';
import { decodeMessages } from './decode-messages.js';
import { decodeSystem } from './decode-system.js';
import { decodeTools, decodeToolUse, UNSAID_TOOL_USE } from './decode-tools.js';

const decodePositiveInteger = decodeIntegerFrom(1);
const decodeTemperature = decodeNumberWithin(0, 1);
const decodeTopP = decodeNumberAbove(0, 1);
const decodeUserId = decodeAttribution(MAX_METADATA_USER_ID_CHARACTERS);
const decodeStopSequences = decodeListUpTo(MAX_STOP_SEQUENCES, decodeNonEmptyString);

const decodeMaxTokens: Decoder<TokenCount> = (value, within, key) => tokenCount(decodePositiveInteger(value, within, key));

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

/** `top_k` is checked and not applied. */
function decodeSampling(body: Fields): Sampling {
  optional(body, 'top_k', decodeNumber);
  return {
    temperature: optional(body, 'temperature', decodeTemperature),
    topP: optional(body, 'top_p', decodeTopP),
    frequencyPenalty: null,
    presencePenalty: null,
  };
}

/** How a field must be there: a generation has to bound its output, a count of tokens need not. */
type ReadField = <T>(fields: Fields, name: string, decode: Decoder<T>) => T | null;

function decodeGeneration(body: Fields, readMaxTokens: ReadField, source: RequestSource | null): GenerationRequest {
  const model = required(body, 'model', decodeModelName);
  const maxOutputTokens = readMaxTokens(body, 'max_tokens', decodeMaxTokens);
  const messages = required(body, 'messages', decodeMessages);
  const system = optional(body, 'system', decodeSystem) ?? [];
  const tools = optional(body, 'tools', decodeTools) ?? [];
  const toolUse = optional(body, 'tool_choice', decodeToolUse) ?? UNSAID_TOOL_USE;
  const output = optional(body, 'output_config', decodeOutputConfig) ?? NO_CONFIG;
  // The name that `output_config.format` had before.
  const olderFormat = optional(body, 'output_format', decodeReplyFormat);
  return {
    model,
    conversation: arrangeTurns(system, messages),
    tools,
    toolChoice: checkToolChoice(toolUse.choice, tools),
    parallelToolCalls: tools.length === 0 ? null : toolUse.parallel,
    maxOutputTokens,
    sampling: decodeSampling(body),
    stopSequences: optional(body, 'stop_sequences', decodeStopSequences) ?? [],
    // Thinking is opt-in in this format, and an effort alone does not turn it on.
    reasoning: reasoningOf(optional(body, 'thinking', decodeThinking) ?? 'off', output.effort),
    ...(output.format ?? olderFormat ?? PLAIN_REPLY),
    attribution: optional(body, 'metadata', decodeMetadata),
    source,
  };
}

/** Reads a messages request. Throws `GatewayError('invalid_request')` that names the field; fields it does not know are ignored. */
export function decodeRequest(body: unknown, source: RequestSource | null = null): DecodedRequest {
  const fields = decodeBody(body);
  const generation = decodeGeneration(fields, required, source);
  const delivery = (optional(fields, 'stream', decodeBoolean) ?? false) ? 'stream' : 'whole';
  return { generation, delivery, includeUsage: true, outputField: 'max_tokens' };
}

/** Reads a request to count tokens: a messages request that need not bound its output. */
export function decodeTokenCount(body: unknown): GenerationRequest {
  return decodeGeneration(decodeBody(body), optional, null);
}
