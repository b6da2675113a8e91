import type { ProviderCall, Reasoning } from '@tollgate/core';
import { type JsonPieces, printObjectInPieces, printerFor } from '@tollgate/json-text';
import { withExtraBody } from '../encoding/with-extra-body.js';
import type { OpenaiOptions } from '../upstream-definition.js';
import { encodeMessages } from './encode-messages.js';
import { encodeReasoning } from './encode-reasoning.js';
import { encodeResponseFormat } from './encode-response-format.js';
import { encodeTools } from './encode-tools.js';

/** The body of `POST /chat/completions` for this call, asking for this reasoning. What the client did not say is left out. */
export function encodeChatRequest(call: ProviderCall, reasoning: Reasoning, options: OpenaiOptions): JsonPieces {
  const { model, target, request, maxOutputTokens, delivery } = call;
  const { temperature, topP, frequencyPenalty, presencePenalty } = request.sampling;
  const stop = request.stopSequences.slice(0, options.stopSequenceLimit);
  return printObjectInPieces(withExtraBody({
    model: target.upstreamModel,
    messages: printerFor(request.source).items.print(encodeMessages(request.conversation, {
      reasoning: model.reasoning ? options.reasoningReplay : 'omitted',
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
    user: options.attribution === 'sent' ? request.attribution ?? undefined : undefined,
    stream: delivery === 'stream',
    stream_options: delivery === 'stream' ? { include_usage: true } : undefined,
  }, options.extraBody));
}

/** The stop sequences that the body has no room for. */
export function localStopSequences(call: ProviderCall, options: OpenaiOptions): readonly string[] {
  return call.request.stopSequences.slice(options.stopSequenceLimit);
}
