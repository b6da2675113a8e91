import {
  assertNever, type AssistantBlock, type CompletedGeneration, type ContextOverflow, type EncodeContext, type ErrorText, type GatewayError,
  isSignatureForm, type JsonObject, outputTokensOf, promptTokensOf, type RequestId, type StopReason, type ThinkingBlock, type TokenCount, type Usage,
} from '@tollgate/core';
import { argumentsObject, type Printable, printList, printObject } from '@tollgate/json-text';
import { encodeCharge, typeOf } from '@tollgate/wire-kit';

/** Replaces a missing signature. Clients keep and return thinking only if it is signed; they do not read the signature. */
export const UNSIGNED = 'dG9sbGdhdGUtdW5zaWduZWQ=';

/** Prefix of a signature that another kind of upstream made. */
const OF_ANOTHER_KIND = 'tollgate.';

type Signature = Pick<ThinkingBlock, 'signature' | 'form'>;

export function encodeSignature({ signature, form = 'signature' }: Signature): string {
  if (signature === null) return UNSIGNED;
  return form === 'signature' ? signature : `${OF_ANOTHER_KIND}${form}.${signature}`;
}

/** Decodes a signature, which may be any text. The gateway's placeholder, an empty text, and the prefix without a known form mean unsigned. */
export function decodeSignature(text: string | null): Signature {
  if (text === null || text === '' || text === UNSIGNED) return { signature: null };
  if (!text.startsWith(OF_ANOTHER_KIND)) return { signature: text };
  const end = text.indexOf('.', OF_ANOTHER_KIND.length);
  const form = text.slice(OF_ANOTHER_KIND.length, end);
  return isSignatureForm(form) ? { signature: text.slice(end + 1), form } : { signature: null };
}

/** Stop reasons in the format. Replies of the gateway use only these three. */
export const stopReasons: Readonly<Record<StopReason, 'end_turn' | 'max_tokens' | 'tool_use'>> = {
  end: 'end_turn',
  'max-tokens': 'max_tokens',
  'tool-call': 'tool_use',
  'content-filter': 'end_turn',
  capacity: 'max_tokens',
};

/**
 * Encodes usage so that `input_tokens` and `cache_read_input_tokens` add up to the prompt. Cache writes count as input tokens here; only the usage
 * record lists them separately.
 */
export function encodeUsage(usage: Usage) {
  return {
    input_tokens: promptTokensOf(usage) - usage.cachedPromptTokens,
    cache_creation_input_tokens: 0,
    cache_read_input_tokens: usage.cachedPromptTokens,
    output_tokens: outputTokensOf(usage),
  };
}

/** The only block of a reply without output, because clients read the first block unconditionally. */
const EMPTY_TEXT: JsonObject = { type: 'text', text: '' };

function encodeThinkingBlock({ text, signature, form = 'signature' }: ThinkingBlock): JsonObject {
  if (form === 'redacted-thinking' && signature !== null) return encodeRedactedThinking(signature);
  return { type: 'thinking', thinking: text, signature: encodeSignature({ signature, form }) };
}

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

export function encodeTokenCount(inputTokens: TokenCount): JsonObject {
  return { input_tokens: inputTokens };
}

export function encodeError(error: GatewayError, requestId: RequestId): JsonObject {
  const details = error.wireDetails === null ? {} : { details: error.wireDetails };
  return {
    type: 'error',
    error: { type: typeOf(error.code), message: error.message, code: error.code, ...details, request_id: requestId },
  };
}

/** Error texts that coding agents parse to recover: they must not change. */
export function describeOverflow(overflow: ContextOverflow, outputField: string): ErrorText {
  if (overflow.kind === 'prompt') {
    return { param: 'messages', message: `prompt is too long: ${overflow.promptTokens} tokens > ${overflow.maximumTokens} maximum` };
  }
  const { kind, promptTokens, outputTokens, windowTokens } = overflow;
  if (kind === 'reply') return { param: 'messages', message: `prompt is too long: ${promptTokens} tokens > ${windowTokens - outputTokens} maximum` };
  return { param: outputField, message: `input length and \`max_tokens\` exceed context limit: ${promptTokens} + ${outputTokens} > ${windowTokens}` };
}
