import {
  assertNever, type AssistantBlock, type CompletedGeneration, type ContextOverflow, type EncodeContext, type ErrorText, type GatewayError,
  isSignatureForm, type JsonObject, outputTokensOf, promptTokensOf, type RequestId, type StopReason, type ThinkingBlock, type TokenCount, type Usage,
} from '@tollgate/core';
import { argumentsObject, type Printable, printList, printObject } from '@tollgate/json-text';
import { encodeCharge, typeOf } from '@tollgate/wire-kit';

/**
 * Stands for the signature of thinking that its upstream did not sign. Clients keep and return thinking only
 * when it bears one; what it says means nothing to them.
 */
export const UNSIGNED = 'dG9sbGdhdGUtdW5zaWduZWQ=';

/** Begins a signature that says what it is: one that another kind of upstream gave. */
const OF_ANOTHER_KIND = 'tollgate.';

type Signature = Pick<ThinkingBlock, 'signature' | 'form'>;

/** The signature to show for a canonical one. */
export function encodeSignature({ signature, form = 'signature' }: Signature): string {
  if (signature === null) return UNSIGNED;
  return form === 'signature' ? signature : `${OF_ANOTHER_KIND}${form}.${signature}`;
}

/** The canonical signature for what a client sent back: any is taken, and ours or none means unsigned. */
export function decodeSignature(text: string | null): Signature {
  if (text === null || text === '' || text === UNSIGNED) return { signature: null };
  if (!text.startsWith(OF_ANOTHER_KIND)) return { signature: text };
  const end = text.indexOf('.', OF_ANOTHER_KIND.length);
  const form = text.slice(OF_ANOTHER_KIND.length, end);
  return isSignatureForm(form) ? { signature: text.slice(end + 1), form } : { signature: null };
}

/** What `stop_reason` says for each way a generation stops; the format knows three. */
export const stopReasons: Readonly<Record<StopReason, 'end_turn' | 'max_tokens' | 'tool_use'>> = {
  end: 'end_turn',
  'max-tokens': 'max_tokens',
  'tool-call': 'tool_use',
  'content-filter': 'end_turn',
  capacity: 'max_tokens',
};

/**
 * Token counts as messages clients read them: `input_tokens` and `cache_read_input_tokens` add up to the prompt.
 * Tokens that an upstream wrote into its cache are input tokens here; the usage record keeps them apart.
 */
export function encodeUsage(usage: Usage) {
  return {
    input_tokens: promptTokensOf(usage) - usage.cachedPromptTokens,
    cache_creation_input_tokens: 0,
    cache_read_input_tokens: usage.cachedPromptTokens,
    output_tokens: outputTokensOf(usage),
  };
}

/** Stands for a reply without any content, since clients read the first block unasked. */
const EMPTY_TEXT: JsonObject = { type: 'text', text: '' };

function encodeThinkingBlock({ text, signature, form = 'signature' }: ThinkingBlock): JsonObject {
  if (form === 'redacted-thinking' && signature !== null) return encodeRedactedThinking(signature);
  return { type: 'thinking', thinking: text, signature: encodeSignature({ signature, form }) };
}

/** Thinking that only its vendor can read. */
export function encodeRedactedThinking(data: string): JsonObject {
  return { type: 'redacted_thinking', data };
}

function encodeBlock(block: AssistantBlock): Printable {
  switch (block.type) {
    case 'thinking': return encodeThinkingBlock(block);
    case 'text': return { type: 'text', text: block.text };
    case 'tool-call': return printObject({ type: 'tool_use', id: block.id, name: block.name, input: argumentsObject(block.argumentsJson) });
    default: return assertNever(block);
  }
}

/** A whole reply: the message object. */
export function encodeResponse(generation: CompletedGeneration, context: EncodeContext): string {
  const content = generation.blocks.map(encodeBlock);
  return printObject({
    id: context.responseId,
    type: 'message',
    role: 'assistant',
    model: generation.servedBy,
    content: printList(content.length === 0 ? [EMPTY_TEXT] : content),
    stop_reason: stopReasons[generation.stopReason],
    stop_sequence: null,
    usage: { ...encodeUsage(generation.usage), ...encodeCharge(generation.settlement) },
  }).text;
}

/** The answer to a request to count tokens. */
export function encodeTokenCount(inputTokens: TokenCount): JsonObject {
  return { input_tokens: inputTokens };
}

/** An error as messages clients read it: public text only. */
export function encodeError(error: GatewayError, requestId: RequestId): JsonObject {
  const details = error.wireDetails === null ? {} : { details: error.wireDetails };
  return {
    type: 'error',
    error: { type: typeOf(error.code), message: error.message, code: error.code, ...details, request_id: requestId },
  };
}

/** The two wordings that coding agents read and recover from by themselves: not a character may change. */
export function describeOverflow(overflow: ContextOverflow, outputField: string): ErrorText {
  if (overflow.kind === 'prompt') {
    return { param: 'messages', message: `prompt is too long: ${overflow.promptTokens} tokens > ${overflow.maximumTokens} maximum` };
  }
  const { promptTokens, outputTokens, windowTokens } = overflow;
  return { param: outputField, message: `input length and \`max_tokens\` exceed context limit: ${promptTokens} + ${outputTokens} > ${windowTokens}` };
}
