import { type JsonObject, printObject, type ProviderCall, type Sampling, takeTextPrinter } from '@tollgate/core';
import type { OpenaiOptions } from '../upstream-definition.js';
import { encodeMessages } from './encode-messages.js';
import { encodeReasoning } from './encode-reasoning.js';
import { encodeTools } from './encode-tools.js';

/** The body of `POST /chat/completions` for this call. What the client did not say is left out. */
export function encodeChatRequest(call: ProviderCall, options: OpenaiOptions): string {
  const { model, target, request, maxOutputTokens, delivery } = call;
  const stop = request.stopSequences.slice(0, options.stopSequenceLimit);
  return printObject({
    model: target.upstreamModel,
    messages: encodeMessages(request.conversation, {
      reasoning: model.reasoning ? options.reasoningReplay : 'omitted',
      systemTurns: options.systemTurns,
      texts: takeTextPrinter(request),
    }),
    [options.outputLimitField]: maxOutputTokens,
    ...encodeSampling(request.sampling),
    ...(stop.length === 0 ? {} : { stop }),
    ...encodeTools(request),
    ...(model.reasoning ? encodeReasoning(request.reasoning, options.reasoningStyle) : {}),
    ...(request.responseFormat === 'json' ? { response_format: { type: 'json_object' } } : {}),
    ...(request.attribution !== null && options.attribution === 'sent' ? { user: request.attribution } : {}),
    ...(delivery === 'stream' ? { stream: true, stream_options: { include_usage: true } } : { stream: false }),
  }).text;
}

/** The stop sequences that the body has no room for. */
export function localStopSequences(call: ProviderCall, options: OpenaiOptions): readonly string[] {
  return call.request.stopSequences.slice(options.stopSequenceLimit);
}

function encodeSampling({ temperature, topP, frequencyPenalty, presencePenalty }: Sampling): JsonObject {
  return {
    ...(temperature === null ? {} : { temperature }),
    ...(topP === null ? {} : { top_p: topP }),
    ...(frequencyPenalty === null ? {} : { frequency_penalty: frequencyPenalty }),
    ...(presencePenalty === null ? {} : { presence_penalty: presencePenalty }),
  };
}
