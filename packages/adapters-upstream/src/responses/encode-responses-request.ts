import type { GenerationRequest, JsonObject, ProviderCall, Reasoning, ResponsesOptions, TokenCount, Tool } from '@tollgate/core';
import { JsonText, type Printable, printObject } from '@tollgate/json-text';
import { encodeBody, type EncodedRequest } from '../request/encode-body.js';
import { functionEncoder } from '../request/function-encoder.js';
import { joinTexts } from '../request/join-texts.js';
import { sentAttribution, sentCacheKey } from '../request/optional-fields.js';
import { sentName } from '../request/sent-names.js';
import { encodeItems } from './encode-items.js';

type Chosen = Exclude<Reasoning, 'model-default'>;

/** Requests a summary; without it, these servers do not show reasoning. */
const SUMMARY = { summary: 'auto' };

const EFFORTS: Readonly<Record<Chosen, JsonObject>> = {
  off: { effort: 'none' },
  on: SUMMARY,
  low: { effort: 'low', ...SUMMARY },
  high: { effort: 'high', ...SUMMARY },
  max: { effort: 'high', ...SUMMARY },
};

/** `undefined` omits the field. */
export function encodeReasoning({ model }: ProviderCall, reasoning: Reasoning, { reasoningStyle: style }: ResponsesOptions): JsonObject | undefined {
  if (!model.reasoning || reasoning === 'model-default' || style === 'none') return undefined;
  if (style === 'off-only') return reasoning === 'off' ? EFFORTS.off : undefined;
  return EFFORTS[reasoning];
}

const encodeTools = functionEncoder({ encodeFunction, encodeName: (name) => ({ type: 'function', name }) });

/** Encodes a function with strict mode off. It is on by default, and servers then refuse most schemas. */
function encodeFunction({ name, description }: Tool, parameters: JsonText): JsonText {
  return printObject({ type: 'function', name, description: description ?? undefined, parameters, strict: false });
}

/** Maximum length of `user` at the vendor. */
const MAX_USER_CHARACTERS = 64;

/** Name sent for an output schema that has none: servers require one. */
const UNNAMED = 'response';

/** The schema is sent only to servers that enforce it. */
function encodeText({ responseFormat, outputSchema }: GenerationRequest, { jsonSchema }: ResponsesOptions): Printable | undefined {
  if (responseFormat === 'text') return undefined;
  if (jsonSchema === 'object' || outputSchema === null) return { format: { type: 'json_object' } };
  const { name, description, strict, schema } = outputSchema;
  return printObject({
    format: printObject({
      type: 'json_schema',
      name: sentName(name ?? UNNAMED),
      description: description ?? undefined,
      strict: strict ?? undefined,
      schema: new JsonText(schema.text),
    }),
  });
}

/** OpenAI's minimum of `max_output_tokens`. */
const MIN_OUTPUT_TOKENS = 16;

function sentMaximum(allowed: TokenCount): number {
  return Math.max(allowed, MIN_OUTPUT_TOKENS);
}

/** The body of `POST /responses`, with `store: false`. Unset parameters are omitted; the format has neither penalties nor stop sequences. */
export function encodeResponsesRequest(call: ProviderCall, reasoning: Reasoning, options: ResponsesOptions): EncodedRequest {
  const { model, target, request, maxOutputTokens, delivery } = call;
  const { conversation, sampling: { temperature, topP } } = request;
  const instructions = joinTexts(conversation.system);
  return encodeBody({
    model: target.upstreamModel,
    instructions: instructions === '' ? undefined : instructions,
    input: encodeItems(conversation, {
      reasoning: model.reasoning ? options.reasoningReplay : 'omitted',
      systemTurns: options.systemTurns,
    }),
    max_output_tokens: sentMaximum(maxOutputTokens),
    temperature: temperature ?? undefined,
    top_p: topP ?? undefined,
    ...encodeTools(request),
    reasoning: encodeReasoning(call, reasoning, options),
    include: model.reasoning ? ['reasoning.encrypted_content'] : undefined,
    text: encodeText(request, options),
    prompt_cache_key: sentCacheKey(request, options),
    user: sentAttribution(request, { options, limit: MAX_USER_CHARACTERS }),
    store: false,
    stream: delivery === 'stream',
  }, call, options.extraBody);
}
