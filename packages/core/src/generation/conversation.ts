import type { Cacheable } from './generation-request.js';
import type { SignatureForm } from './signature.js';

/** What was said so far, in no wire format's terms. Turns keep the order and the parts the client sent. */
export interface Conversation {
  /** Instructions ahead of the first turn. */
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

/** An instruction in the middle of a conversation; it stays in its place. */
export interface SystemTurn {
  readonly role: 'system';
  readonly content: readonly TextBlock[];
}

export type UserBlock = TextBlock | ImageBlock | ToolResultBlock;
export type AssistantBlock = ThinkingBlock | TextBlock | ToolCallBlock;
export type ContentBlock = UserBlock | AssistantBlock;

/** Where a client wants the prompt cached: up to the end of what has the mark. */
export interface CacheMark {
  /** How long, as the client wrote it; `null` for the server's default. */
  readonly ttl: string | null;
}

export interface TextBlock extends Cacheable {
  readonly type: 'text';
  readonly text: string;
  /** The model's refusal, of a format that keeps it apart from other text. */
  readonly isRefusal?: true;
  /** A document that servers of the messages format are sent instead of the text, which says to others that it was left out. */
  readonly document?: DocumentFile;
}

/** A document that is not text: a PDF by its bytes, or any by its URL. */
export interface DocumentFile {
  readonly title: string | null;
  /** What the client says of the document; the text in its place says it too. */
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

/** The model's reasoning, and what its upstream gave to be brought back with it, which may be all there is. */
export interface ThinkingBlock {
  readonly type: 'thinking';
  readonly text: string;
  /** Opaque; `null` where the upstream gave nothing. */
  readonly signature: string | null;
  /** What `signature` is; `signature` unless given. */
  readonly form?: SignatureForm;
  /** The upstream's name of the model that signed it, where the client's format says so. Another model cannot read the signature. */
  readonly signedBy?: string;
}

/** `argumentsJson` is the text as it was sent: it may be empty or no JSON at all, and is never parsed and printed again. */
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

/** A turn's blocks in the client's order, except that thinking comes before the only text of a turn that begins with it: models think first. */
export function orderedBlocks(content: readonly AssistantBlock[]): readonly AssistantBlock[] {
  if (content[0]?.type !== 'text' || content.filter(({ type }) => type === 'text').length > 1) return content;
  const thinking = content.filter(({ type }) => type === 'thinking');
  if (thinking.length === 0) return content;
  return [...thinking, ...content.filter(({ type }) => type !== 'thinking')];
}

/** Whether earlier turns hold what only the server that made it can judge: thinking, and what was given to be brought back. */
export function hasContinuation({ turns }: Conversation): boolean {
  return turns.some(({ role, content }) => role === 'assistant' && content.some((block) => block.type === 'thinking'));
}

export function hasToolCalls({ turns }: Conversation): boolean {
  return turns.some(({ content }) => content.some((block) => block.type === 'tool-call'));
}

/** What a call without arguments passes: clients parse the text, and an empty text is no JSON. */
export const EMPTY_ARGUMENTS = '{}';

const SOMETHING_BESIDES_SPACE = /\S/;

export function isBlank(text: string): boolean {
  return !SOMETHING_BESIDES_SPACE.test(text);
}
