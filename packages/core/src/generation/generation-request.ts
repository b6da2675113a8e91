import type { JsonDocument, TokenCount } from '../primitives.js';

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

/** What may have a mark, for servers of the messages format; others cache by themselves. */
interface Cacheable {
  readonly cacheMark?: CacheMark;
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

/**
 * What a server gave to be brought back, with the kind of upstream that made it, which alone can read it:
 * `signature` of a text; `redacted-thinking`, which only the vendor can read, without a text; `encrypted-reasoning` of an item;
 * the JSON of `reasoning_details`, of the `extra_content` of the next call, or of that of the message.
 */
const FORM_KINDS = {
  'signature': 'anthropic', 'redacted-thinking': 'anthropic', 'encrypted-reasoning': 'responses',
  'reasoning-details': 'openai', 'call-extra': 'openai', 'message-extra': 'openai',
} as const;

export type SignatureForm = keyof typeof FORM_KINDS;

export function isSignatureForm(value: unknown): value is SignatureForm {
  return typeof value === 'string' && Object.hasOwn(FORM_KINDS, value);
}

/** Whether an upstream of this kind made the signature of the thinking. */
export function isSignedBy(kind: 'openai' | 'anthropic' | 'responses', { signature, form = 'signature' }: ThinkingBlock): boolean {
  return signature !== null && FORM_KINDS[form] === kind;
}

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

/** How many images a conversation holds, those in results of tools included. */
export function imageCountOf({ turns }: Conversation): number {
  let count = 0;
  for (const { content } of turns) for (const block of content) count += imagesIn(block);
  return count;
}

function imagesIn(block: ContentBlock): number {
  if (block.type === 'tool-result') return block.content.filter(({ type }) => type === 'image').length;
  return block.type === 'image' ? 1 : 0;
}

function documentsIn(block: ContentBlock): readonly DocumentFile[] {
  if (block.type === 'tool-result') return block.content.flatMap(documentsIn);
  return block.type === 'text' && block.document !== undefined ? [block.document] : [];
}

/** The documents of a conversation, those in results of tools included. */
export function documentsOf({ turns }: Conversation): readonly DocumentFile[] {
  return turns.flatMap(({ role, content }) => (role === 'user' ? content.flatMap(documentsIn) : []));
}

const TOKENS_PER_DOCUMENT = 2_000;
const BYTES_PER_DOCUMENT_TOKEN = 100;
/** What a document is taken for of which only the URL is known. */
const TOKENS_PER_LINKED_DOCUMENT = 10_000;
const BYTES_PER_BASE64_CHARACTER = 3 / 4;

/** What a server that reads documents is expected to make of them: the gateway does not look into them. */
export function estimateDocuments(documents: readonly DocumentFile[]): number {
  let tokens = 0;
  for (const { source } of documents) {
    const read = source.kind === 'url' ? TOKENS_PER_LINKED_DOCUMENT : Math.ceil(source.data.length * BYTES_PER_BASE64_CHARACTER / BYTES_PER_DOCUMENT_TOKEN);
    tokens += TOKENS_PER_DOCUMENT + read;
  }
  return tokens;
}

/** Whether earlier turns hold what only the server that made it can judge: thinking, and what was given to be brought back. */
export function hasContinuation({ turns }: Conversation): boolean {
  return turns.some(({ role, content }) => role === 'assistant' && content.some((block) => block.type === 'thinking'));
}

export function hasToolCalls({ turns }: Conversation): boolean {
  return turns.some(({ content }) => content.some((block) => block.type === 'tool-call'));
}

function isForeign(block: ContentBlock, upstreamModel: string): boolean {
  return block.type === 'thinking' && block.signedBy !== undefined && block.signedBy !== upstreamModel && block.signature !== null;
}

function withoutForeignSignature(turn: Turn, upstreamModel: string): Turn {
  if (turn.role !== 'assistant' || !turn.content.some((block) => isForeign(block, upstreamModel))) return turn;
  return { ...turn, content: turn.content.map((block) => (isForeign(block, upstreamModel) ? { ...block, signature: null } : block)) };
}

/** The conversation without signatures of models other than this one; the same object when it has none. */
function withoutForeignSignatures(conversation: Conversation, upstreamModel: string): Conversation {
  const turns = conversation.turns.map((turn) => withoutForeignSignature(turn, upstreamModel));
  return turns.some((turn, index) => turn !== conversation.turns[index]) ? { ...conversation, turns } : conversation;
}

/** What a call without arguments passes: clients parse the text, and an empty text is no JSON. */
export const EMPTY_ARGUMENTS = '{}';

const SOMETHING_BESIDES_SPACE = /\S/;

export function isBlank(text: string): boolean {
  return !SOMETHING_BESIDES_SPACE.test(text);
}

/** How a client declared a tool, in formats that have more than functions. */
export interface ToolDeclaration {
  /** `custom`: takes one text instead of an object. `search`: finds further tools, and runs at the client. */
  readonly kind: 'function' | 'custom' | 'search';
  /** The client's own name, within its namespace. */
  readonly name: string;
  /** The group that the tool belongs to; `null` for one that stands alone. */
  readonly namespace: string | null;
  /** The format that a custom tool's text has, as the client wrote it. */
  readonly inputFormat: JsonDocument | null;
}

export interface Tool extends Cacheable {
  /** Unique in its request: the name that every upstream sees. */
  readonly name: string;
  readonly description: string | null;
  /** A JSON Schema, passed on as it was written; `null` when the client gave none. */
  readonly inputSchema: JsonDocument | null;
  /** Absent for a plain function. Upstreams that know functions only see `name`, `description` and `inputSchema`. */
  readonly declaration?: ToolDeclaration;
}

export type ToolChoice =
  | { readonly kind: 'auto' | 'none' | 'any' }
  | { readonly kind: 'tool'; readonly name: string };

export interface Sampling {
  readonly temperature: number | null;
  readonly topP: number | null;
  readonly frequencyPenalty: number | null;
  readonly presencePenalty: number | null;
}

/** `model-default`: the client did not say. `on`: it asked for reasoning and left the effort to the model. */
export type Reasoning = 'model-default' | 'off' | 'on' | 'low' | 'high' | 'max';

/** Whether the client sees the model's thinking. It is counted and charged as output either way. */
export type ThinkingDisplay = 'shown' | 'withheld';

/** A JSON Schema that the reply is to follow. The gateway does not enforce it; servers that do are handed it. */
export interface OutputSchema {
  readonly name: string | null;
  readonly description: string | null;
  readonly strict: boolean | null;
  readonly schema: JsonDocument;
}

/** How the client wrote a request. Opaque to the core: a parser makes it, and an encoder may copy unchanged parts from it. */
export interface RequestSource {
  readonly language: 'json';
}

/** One request to generate, in no wire format's terms; `null` means that the client did not say. */
export interface GenerationRequest extends Cacheable {
  /** Slug or alias, not yet resolved. */
  readonly model: string;
  readonly conversation: Conversation;
  readonly tools: readonly Tool[];
  readonly toolChoice: ToolChoice | null;
  readonly parallelToolCalls: boolean | null;
  readonly maxOutputTokens: TokenCount | null;
  readonly sampling: Sampling;
  readonly stopSequences: readonly string[];
  readonly reasoning: Reasoning;
  readonly responseFormat: 'text' | 'json';
  /** Beside `json` only. */
  readonly outputSchema: OutputSchema | null;
  /** The client's own name for its user. Never read by billing. */
  readonly attribution: string | null;
  /** The client's own name for what its requests have in common, by which vendors find a cached prompt. */
  readonly cacheKey?: string;
  /** How it was written; `null` where there is nothing to copy. It says nothing that the other fields do not say. */
  readonly source: RequestSource | null;
}

/** The request as a model may read it: thinking that another model signed keeps its text and loses its signature. */
export function readableBy(upstreamModel: string, request: GenerationRequest): GenerationRequest {
  const conversation = withoutForeignSignatures(request.conversation, upstreamModel);
  return conversation === request.conversation ? request : { ...request, conversation };
}
