import type { Cacheable } from './generation-request.js';
import type { SignatureForm } from './signature.js';

/** Keeps the client's order and blocks. */
export interface Conversation {
  /** System texts before the first turn. */
  readonly system: readonly TextBlock[];
  readonly turns: readonly Turn[];
}

export type Turn = UserTurn | AssistantTurn | SystemTurn;

export interface UserTurn {
  readonly role: 'user';
  readonly content: readonly UserBlock[];
}

export interface AssistantTurn {
  readonly role: 'assistant';
  readonly content: readonly AssistantBlock[];
}

/** An instruction in the middle of a conversation. */
export interface SystemTurn {
  readonly role: 'system';
  readonly content: readonly TextBlock[];
}

export type UserBlock = TextBlock | ImageBlock | ToolResultBlock;
export type AssistantBlock = ThinkingBlock | TextBlock | ToolCallBlock;
export type ContentBlock = UserBlock | AssistantBlock;

/** Asks the upstream to cache the prompt up to here. */
export interface CacheMark {
  /** `null` for the upstream's default. */
  readonly ttl: string | null;
}

export interface TextBlock extends Cacheable {
  readonly type: 'text';
  readonly text: string;
  /** Set in formats that distinguish a refusal from other text. */
  readonly isRefusal?: true;
  /** Sent instead of the text to servers of the messages format. Other servers receive the text, which states that a document was left out. */
  readonly document?: DocumentFile;
}

/** The bytes of a PDF, or the URL of any document. */
export interface DocumentFile {
  readonly title: string | null;
  /** The client's description of the document. The text that replaces the document repeats it. */
  readonly context?: string;
  readonly source: ImageSource;
}

export interface ImageBlock extends Cacheable {
  readonly type: 'image';
  readonly source: ImageSource;
}

export type ImageSource =
  | { readonly kind: 'url'; readonly url: string }
  | { readonly kind: 'base64'; readonly mediaType: string; readonly data: string };

/** A model's thinking, with the signature of its upstream. The text may be empty. */
export interface ThinkingBlock {
  readonly type: 'thinking';
  readonly text: string;
  /** Opaque; `null` if the upstream sent none. */
  readonly signature: string | null;
  /** Default: `signature`. */
  readonly form?: SignatureForm;
  /** The upstream's name of the signing model, if the client's format includes it; only that model reads the signature. */
  readonly signedBy?: string;
}

/** `argumentsJson` is not validated; it may be empty or invalid JSON. */
export interface ToolCallBlock extends Cacheable {
  readonly type: 'tool-call';
  readonly id: string;
  readonly name: string;
  readonly argumentsJson: string;
}

export interface ToolResultBlock extends Cacheable {
  readonly type: 'tool-result';
  readonly toolCallId: string;
  readonly content: readonly (TextBlock | ImageBlock)[];
  readonly isError: boolean;
}

/** Keeps the client's order, except that thinking moves to the front of a turn that begins with its only text: models think before they write. */
export function orderedBlocks(content: readonly AssistantBlock[]): readonly AssistantBlock[] {
  if (content[0]?.type !== 'text' || content.filter(({ type }) => type === 'text').length > 1) return content;
  const thinking = content.filter(({ type }) => type === 'thinking');
  if (thinking.length === 0) return content;
  return [...thinking, ...content.filter(({ type }) => type !== 'thinking')];
}

/** True if earlier turns contain thinking or signatures, which only the server that produced them can validate. */
export function hasContinuation({ turns }: Conversation): boolean {
  return turns.some(({ role, content }) => role === 'assistant' && content.some((block) => block.type === 'thinking'));
}

export function hasToolCalls({ turns }: Conversation): boolean {
  return turns.some(({ content }) => content.some((block) => block.type === 'tool-call'));
}

/** Replaces empty arguments, which are not valid JSON. */
export const EMPTY_ARGUMENTS = '{}';

const SOMETHING_BESIDES_SPACE = /\S/;

export function isBlank(text: string): boolean {
  return !SOMETHING_BESIDES_SPACE.test(text);
}
