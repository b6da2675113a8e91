import type { ContentBlock, ThinkingBlock, Turn } from './conversation.js';
import type { GenerationRequest } from './generation-request.js';

/**
 * Forms of a signature, each with the one kind of upstream that creates and reads it. `signature` signs a text. `redacted-thinking` is encrypted
 * thinking without a text. `encrypted-reasoning` is the encrypted content of a reasoning item. The others are the JSON of a field:
 * `reasoning-details` of a message's `reasoning_details`, `message-extra` of a message's `extra_content`, and `call-extra` of the next call's
 * `extra_content`.
 */
const FORM_KINDS = {
  'signature': 'anthropic', 'redacted-thinking': 'anthropic', 'encrypted-reasoning': 'responses',
  'reasoning-details': 'openai', 'call-extra': 'openai', 'message-extra': 'openai',
} as const;

export type SignatureForm = keyof typeof FORM_KINDS;

export function isSignatureForm(value: unknown): value is SignatureForm {
  return typeof value === 'string' && Object.hasOwn(FORM_KINDS, value);
}

/** True if an upstream of this kind created the signature. */
export function isSignedBy(kind: 'openai' | 'anthropic' | 'responses', { signature, form = 'signature' }: ThinkingBlock): boolean {
  return signature !== null && FORM_KINDS[form] === kind;
}

function isForeign(block: ContentBlock, upstreamModel: string): boolean {
  return block.type === 'thinking' && block.signedBy !== undefined && block.signedBy !== upstreamModel && block.signature !== null;
}

function hasForeignSignature({ role, content }: Turn, upstreamModel: string): boolean {
  if (role !== 'assistant') return false;
  for (const block of content) if (isForeign(block, upstreamModel)) return true;
  return false;
}

function withoutForeignSignatures(turn: Turn, upstreamModel: string): Turn {
  if (turn.role !== 'assistant' || !hasForeignSignature(turn, upstreamModel)) return turn;
  return { ...turn, content: turn.content.map((block) => (isForeign(block, upstreamModel) ? { ...block, signature: null } : block)) };
}

/** Thinking that another model signed keeps its text and loses its signature. Returns the same object if no signature is lost. */
export function readableBy(upstreamModel: string, request: GenerationRequest): GenerationRequest {
  const { conversation } = request;
  if (!conversation.turns.some((turn) => hasForeignSignature(turn, upstreamModel))) return request;
  const turns = conversation.turns.map((turn) => withoutForeignSignatures(turn, upstreamModel));
  return { ...request, conversation: { ...conversation, turns } };
}
