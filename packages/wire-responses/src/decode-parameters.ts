import type { GenerationRequest, JsonObject, Sampling } from '@tollgate/core';
import {
  decodeBoolean, decodeCacheKey, decodeMaxTokens, decodeNumberAbove, decodeNumberWithin, decodeObject, type Decoder, decodeReplyFormat, decodeString,
  decodeStringUpTo, effortOf, type Fields, hasMoreCharactersThan, invalidField, optional, PLAIN_REPLY, type ReplyFormat,
} from '@tollgate/wire-kit';

const MAX_METADATA_PAIRS = 16;
const MAX_METADATA_KEY_CHARACTERS = 64;
const MAX_METADATA_VALUE_CHARACTERS = 512;

const decodeTemperature = decodeNumberWithin(0, 2);
const decodeTopP = decodeNumberAbove(0, 1);
const decodeMetadataValue = decodeStringUpTo(MAX_METADATA_VALUE_CHARACTERS);

const decodeMetadata: Decoder<JsonObject> = (value, within, key) => {
  const { values, place } = decodeObject(value, within, key);
  const names = Object.keys(values);
  if (names.length > MAX_METADATA_PAIRS) throw invalidField(within, key, `must have at most ${MAX_METADATA_PAIRS} pairs, but has ${names.length}`);
  return Object.fromEntries(names.map((name) => {
    if (hasMoreCharactersThan(name, MAX_METADATA_KEY_CHARACTERS)) throw invalidField(within, key, `must have keys of at most ${MAX_METADATA_KEY_CHARACTERS} characters`);
    return [name, decodeMetadataValue(values[name], place, name)];
  }));
};

interface ReasoningTerms {
  readonly reasoning: GenerationRequest['reasoning'];
  /** True if the client receives the text of the reasoning. */
  readonly isShown: boolean;
  readonly echo: JsonObject;
}

const UNSAID_REASONING: ReasoningTerms = { reasoning: 'model-default', isShown: true, echo: { effort: null, summary: null } };
const SUMMARIES: ReadonlySet<string | null> = new Set(['auto', 'concise', 'detailed']);

/**
 * Decodes `reasoning`. An unknown effort leaves the choice to the model: new words appear with new models. `summary: null`, and an effort that turns
 * reasoning off, withhold the text.
 */
const decodeReasoning: Decoder<ReasoningTerms> = (value, within, key) => {
  const fields = decodeObject(value, within, key);
  const word = optional(fields, 'effort', decodeString);
  const effort = word === null ? null : effortOf(word);
  const summary = optional(fields, 'summary', decodeString);
  return {
    reasoning: effort ?? 'model-default',
    isShown: effort !== 'off' && fields.values['summary'] !== null,
    echo: { effort: effort === null ? null : word, summary: SUMMARIES.has(summary) ? summary : null },
  };
};

interface TextTerms {
  readonly reply: ReplyFormat;
  readonly echo: JsonObject;
}

const DEFAULT_VERBOSITY = 'medium';
const VERBOSITIES: ReadonlySet<string | null> = new Set(['low', DEFAULT_VERBOSITY, 'high']);

/** Maximum length of an output schema that replies repeat; a stream repeats it in several events. */
const MAX_ECHOED_CHARACTERS = 16_384;

function echoOfFormat({ responseFormat, outputSchema }: ReplyFormat): JsonObject {
  if (outputSchema === null) return { type: responseFormat === 'json' ? 'json_object' : 'text' };
  const { name, description, schema, strict } = outputSchema;
  const characters = schema.text.length + (name ?? '').length + (description ?? '').length;
  if (characters > MAX_ECHOED_CHARACTERS) return { type: 'json_schema', name: 'response', schema: {}, strict };
  return { type: 'json_schema', name: name ?? 'response', description: description ?? undefined, schema: schema.value, strict };
}

const UNSAID_TEXT: TextTerms = { reply: PLAIN_REPLY, echo: { format: echoOfFormat(PLAIN_REPLY), verbosity: DEFAULT_VERBOSITY } };

const decodeText: Decoder<TextTerms> = (value, within, key) => {
  const fields = decodeObject(value, within, key);
  const reply = optional(fields, 'format', decodeReplyFormat) ?? PLAIN_REPLY;
  const verbosity = optional(fields, 'verbosity', decodeString);
  return { reply, echo: { format: echoOfFormat(reply), verbosity: VERBOSITIES.has(verbosity) ? verbosity : DEFAULT_VERBOSITY } };
};

/** The parameters of a request, and what the reply repeats of them. */
export interface Parameters {
  readonly generation: Pick<GenerationRequest, 'maxOutputTokens' | 'sampling' | 'reasoning' | 'responseFormat' | 'outputSchema' | 'parallelToolCalls' | 'cacheKey'>;
  readonly showsReasoning: boolean;
  readonly echo: JsonObject;
}

/** Decodes the parameters. The response repeats them, with the format's defaults for absent ones. */
export function decodeParameters(body: Fields): Parameters {
  const maxOutputTokens = optional(body, 'max_output_tokens', decodeMaxTokens);
  const sampling: Sampling = {
    temperature: optional(body, 'temperature', decodeTemperature),
    topP: optional(body, 'top_p', decodeTopP),
    frequencyPenalty: null,
    presencePenalty: null,
  };
  const parallel = optional(body, 'parallel_tool_calls', decodeBoolean);
  const { reasoning, isShown, echo } = optional(body, 'reasoning', decodeReasoning) ?? UNSAID_REASONING;
  const text = optional(body, 'text', decodeText) ?? UNSAID_TEXT;
  const cacheKey = optional(body, 'prompt_cache_key', decodeCacheKey);
  return {
    generation: { maxOutputTokens, sampling, reasoning, ...text.reply, parallelToolCalls: parallel, ...(cacheKey === null ? {} : { cacheKey }) },
    showsReasoning: isShown,
    echo: {
      parallel_tool_calls: parallel ?? true,
      temperature: sampling.temperature ?? 1,
      top_p: sampling.topP ?? 1,
      text: text.echo,
      reasoning: echo,
      max_output_tokens: maxOutputTokens,
      metadata: optional(body, 'metadata', decodeMetadata) ?? {},
      prompt_cache_key: cacheKey,
    },
  };
}
