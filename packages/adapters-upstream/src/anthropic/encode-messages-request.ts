import type { GenerationRequest, JsonObject, OutputSchema, ProviderCall, Reasoning, Sampling } from '@tollgate/core';
import { type JsonPieces, JsonText, type Printable, printObject, printObjectInPieces, printerFor } from '@tollgate/json-text';
import { joinTexts } from '../encoding/join-texts.js';
import { withExtraBody } from '../encoding/with-extra-body.js';
import type { AnthropicOptions } from '../upstream-definition.js';
import { divideStopSequences } from './divide-stop-sequences.js';
import { encodeThinking } from './encode-thinking.js';
import { encodeTools } from './encode-tools.js';
import { encodeTurns } from './encode-turns.js';
import type { TurnTerms } from './sent-blocks.js';

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
export function encodeMessagesRequest(call: ProviderCall, reasoning: Reasoning, options: AnthropicOptions): JsonPieces {
  const { target, request, maxOutputTokens, delivery } = call;
  const terms = turnTermsOf(call, options);
  const thinking = encodeThinking(call, { reasoning, style: options.reasoningStyle, turns: terms });
  const stop = divideStopSequences(request.stopSequences, options.stopSequenceLimit).upstream;
  const schema = options.jsonSchema === 'schema' ? request.outputSchema : null;
  return printObjectInPieces(withExtraBody({
    model: target.upstreamModel,
    system: encodeSystem(request, schema, terms),
    messages: encodeTurns(request.conversation, terms),
    max_tokens: maxOutputTokens,
    ...encodeSampling(request.sampling, thinking.state),
    stop_sequences: stop.length === 0 ? undefined : stop,
    ...encodeTools(request),
    thinking: thinking.thinking ?? undefined,
    output_config: encodeOutputConfig(thinking.outputConfig, schema),
    metadata: request.attribution !== null && options.attribution === 'sent' ? { user_id: request.attribution } : undefined,
    stream: delivery === 'stream',
  }, options.extraBody));
}

function turnTermsOf({ model, request }: ProviderCall, { reasoningReplay, systemTurns }: AnthropicOptions): TurnTerms {
  return { thinking: model.reasoning ? reasoningReplay : 'omitted', systemTurns, texts: printerFor(request.source).texts };
}

function encodeSystem({ conversation, responseFormat }: GenerationRequest, schema: OutputSchema | null, { texts }: TurnTerms): JsonText | undefined {
  const instruction = responseFormat === 'json' && schema === null ? [{ type: 'text' as const, text: JSON_INSTRUCTION }] : [];
  const system = joinTexts([...conversation.system, ...instruction]);
  return system === '' ? undefined : new JsonText(texts.print(system));
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
