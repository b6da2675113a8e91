import type { GenerationRequest, OpenaiOptions, ProviderCall, Reasoning, Tool, UpstreamTarget } from '@tollgate/core';
import { JsonText, type Printable, printerFor, printObject } from '@tollgate/json-text';
import { encodeBody, type EncodedRequest } from '../request/encode-body.js';
import { functionEncoder } from '../request/function-encoder.js';
import { sentAttribution, sentCacheKey } from '../request/optional-fields.js';
import { sentName } from '../request/sent-names.js';
import type { RequestTerms } from '../http/upstream-provider.js';
import { encodeMessages, type MessageTerms } from './encode-messages.js';
import { encodeReasoning } from './encode-reasoning.js';

/** Maximum length of `user` at the vendor. */
const MAX_USER_CHARACTERS = 64;

/** Name sent for an output schema that has none: servers require one. */
const UNNAMED = 'response';

/** The schema is sent only to servers that enforce it; others refuse it. */
function encodeResponseFormat({ responseFormat, outputSchema }: GenerationRequest, { jsonSchema }: OpenaiOptions): Printable | undefined {
  if (responseFormat === 'text') return undefined;
  if (jsonSchema === 'object' || outputSchema === null) return { type: 'json_object' };
  const { name, description, strict, schema } = outputSchema;
  return printObject({
    type: 'json_schema',
    json_schema: printObject({
      name: sentName(name ?? UNNAMED),
      description: description ?? undefined,
      strict: strict ?? undefined,
      schema: new JsonText(schema.text),
    }),
  });
}

const encodeTools = functionEncoder({ encodeFunction, encodeName: (name) => ({ type: 'function', function: { name } }) });

function encodeFunction({ name, description }: Tool, parameters: JsonText): JsonText {
  const described = description === null ? '' : `,"description":${JSON.stringify(description)}`;
  return new JsonText(`{"type":"function","function":{"name":${JSON.stringify(name)}${described},"parameters":${parameters.text}}}`);
}

/** The server's options, and one option of the request. */
interface SentOptions extends OpenaiOptions {
  /** Default `sent`. */
  readonly continuation?: RequestTerms['continuation'];
}

/** Models that refuse tool calls of earlier turns without a thought signature. */
const SIGNING_MODELS = /gemini-(?:[3-9]|\d\d)/i;

function opaqueTerms({ upstreamModel }: UpstreamTarget, { continuation = 'sent' }: SentOptions): Pick<MessageTerms, 'opaque' | 'needsSignatures'> {
  return { opaque: continuation === 'sent' ? 'sent' : 'omitted', needsSignatures: continuation === 'replaced' || SIGNING_MODELS.test(upstreamModel) };
}

/** The body of `POST /chat/completions`. Unset parameters are omitted. */
export function encodeChatRequest(call: ProviderCall, reasoning: Reasoning, options: SentOptions): EncodedRequest {
  const { model, target, request, maxOutputTokens, delivery } = call;
  const { temperature, topP, frequencyPenalty, presencePenalty } = request.sampling;
  const stop = request.stopSequences.slice(0, options.stopSequenceLimit);
  return encodeBody({
    model: target.upstreamModel,
    messages: printerFor(request.source).items.print(encodeMessages(request.conversation, {
      reasoning: model.reasoning ? options.reasoningReplay : 'omitted',
      ...opaqueTerms(target, options),
      systemTurns: options.systemTurns,
    })),
    max_tokens: options.outputLimitField === 'max_tokens' ? maxOutputTokens : undefined,
    max_completion_tokens: options.outputLimitField === 'max_completion_tokens' ? maxOutputTokens : undefined,
    temperature: temperature ?? undefined,
    top_p: topP ?? undefined,
    frequency_penalty: frequencyPenalty ?? undefined,
    presence_penalty: presencePenalty ?? undefined,
    stop: stop.length === 0 ? undefined : stop,
    ...encodeTools(request),
    ...encodeReasoning(call, reasoning, options),
    response_format: encodeResponseFormat(request, options),
    prompt_cache_key: sentCacheKey(request, options),
    user: sentAttribution(request, { options, limit: MAX_USER_CHARACTERS }),
    stream: delivery === 'stream',
    stream_options: delivery === 'stream' ? { include_usage: true } : undefined,
  }, call, options.extraBody);
}

/** Stop sequences that the gateway enforces, because they exceed the server's limit. */
export function localStopSequences(call: ProviderCall, options: OpenaiOptions): readonly string[] {
  return call.request.stopSequences.slice(options.stopSequenceLimit);
}
