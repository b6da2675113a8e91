import {
  type AssistantBlock, type AssistantTurn, type CacheMark, type Conversation, type DocumentFile, type ImageBlock, isBlank, isSignedBy, type JsonObject, orderedBlocks, type TextBlock, type ThinkingBlock,
  type ToolResultBlock, type Turn, type UserTurn, type AnthropicOptions, type SystemTurnStyle,
} from '@tollgate/core';
import { argumentsObject, JsonText, type Printable, printList, printObject, type TextPrinter } from '@tollgate/json-text';
import { joinTexts } from '../request/join-texts.js';
import { mergeTurns } from '../request/merge-turns.js';
import { withSentIds } from './call-ids.js';

export interface TurnTerms {
  /** Which thinking of earlier turns is sent. */
  readonly thinking: AnthropicOptions['reasoningReplay'];
  readonly systemTurns: SystemTurnStyle;
  readonly texts: TextPrinter;
  readonly caching: AnthropicOptions['cacheControl'];
}

export function cacheFields({ cacheMark }: { readonly cacheMark?: CacheMark }, { caching }: Pick<TurnTerms, 'caching'>): { readonly cache_control?: JsonObject } {
  if (cacheMark === undefined || caching === 'omitted') return {};
  return { cache_control: cacheMark.ttl === null ? { type: 'ephemeral' } : { type: 'ephemeral', ttl: cacheMark.ttl } };
}

/** Encodes texts as a list of blocks, since a string cannot have cache marks. */
export function encodeTexts(blocks: readonly TextBlock[], terms: TurnTerms): JsonText {
  return printList(blocks.map((block) => encodeText(block, terms)));
}

/** True if the block is sent. Thinking that was not signed by this kind of server is sent only if configured, and with an empty signature. */
export function isSentThinking(block: ThinkingBlock, { thinking }: TurnTerms): boolean {
  if (thinking === 'omitted') return false;
  return isSignedBy('anthropic', block) || (thinking === 'sent' && block.text !== '');
}

function encodeText(block: Pick<TextBlock, 'text' | 'cacheMark'>, terms: TurnTerms): JsonText {
  return printObject({ type: 'text', text: new JsonText(terms.texts.print(block.text)), ...cacheFields(block, terms) });
}

/** False for blank text, which servers refuse. */
function isSentText({ text }: TextBlock): boolean {
  return !isBlank(text);
}

/** User turns are always sent, to separate the model's turns. A turn with only thinking is not sent: without its reply it has no content. */
function isSentTurn({ role, content }: Turn): boolean {
  return role === 'user' || content.some((block) => block.type === 'tool-call' || (block.type === 'text' && isSentText(block)));
}

function encodeAssistantTurn({ content }: AssistantTurn, terms: TurnTerms): JsonText {
  const blocks = thinkingNotLast(callsLast(content.filter((block) => isSent(block, terms))));
  return printObject({ role: 'assistant', content: printList(blocks.map((block) => encodeBlock(block, terms))) });
}

/**
 * Moves calls behind the text if a text follows a call: servers refuse text between a call and its results. They never send such a turn, so a client
 * has written or merged it. Other turns keep their order, which servers require for thinking.
 */
function callsLast(blocks: readonly AssistantBlock[]): readonly AssistantBlock[] {
  const firstCall = blocks.findIndex(({ type }) => type === 'tool-call');
  const lastText = blocks.findLastIndex(({ type }) => type === 'text');
  if (firstCall < 0 || lastText < firstCall) return blocks;
  return [...blocks.filter(({ type }) => type !== 'tool-call'), ...blocks.filter(({ type }) => type === 'tool-call')];
}

/** Moves thinking at the end before the last text or call, because servers refuse a turn that ends with thinking. */
function thinkingNotLast(blocks: readonly AssistantBlock[]): readonly AssistantBlock[] {
  const last = blocks.findLastIndex(({ type }) => type !== 'thinking');
  if (last < 0 || last === blocks.length - 1) return blocks;
  return [...blocks.slice(0, last), ...blocks.slice(last + 1), ...blocks.slice(last, last + 1)];
}

function isSent(block: AssistantBlock, terms: TurnTerms): boolean {
  switch (block.type) {
    case 'thinking': return isSentThinking(block, terms);
    case 'text': return isSentText(block);
    case 'tool-call': return true;
  }
}

function encodeThinkingBlock(block: ThinkingBlock): JsonObject {
  const signature = isSignedBy('anthropic', block) ? block.signature : '';
  return block.form === 'redacted-thinking' ? { type: 'redacted_thinking', data: signature } : { type: 'thinking', thinking: block.text, signature };
}

function encodeBlock(block: AssistantBlock, terms: TurnTerms): Printable {
  switch (block.type) {
    case 'thinking': return encodeThinkingBlock(block);
    case 'text': return encodeText(block, terms);
    case 'tool-call':
      return printObject({ type: 'tool_use', id: block.id, name: block.name, input: argumentsObject(block.argumentsJson), ...cacheFields(block, terms) });
  }
}

/** Replaces the content of an empty user turn, which the format forbids. */
const NOTHING_SAID = '(nothing was said)';
/** Replaces the content of an empty error result, which servers refuse. */
const UNEXPLAINED_ERROR = 'Error';

/** Puts tool results first, as the format requires. */
function encodeUserTurn({ content }: UserTurn, terms: TurnTerms): JsonText {
  const results = content.filter((block) => block.type === 'tool-result').map((result) => encodeResult(result, terms));
  const rest = content.filter((block) => block.type !== 'tool-result');
  const blocks = [...results, ...encodeParts(rest, terms)];
  return printObject({ role: 'user', content: printList(blocks.length === 0 ? [encodeText({ text: NOTHING_SAID }, terms)] : blocks) });
}

function encodeResult(result: ToolResultBlock, terms: TurnTerms): JsonText {
  const { toolCallId, content, isError } = result;
  const parts = encodeParts(content, terms);
  const said = parts.length === 0 && isError ? [encodeText({ text: UNEXPLAINED_ERROR }, terms)] : parts;
  return printObject({
    type: 'tool_result',
    tool_use_id: toolCallId,
    content: said.length === 0 ? undefined : printList(said),
    is_error: isError ? true : undefined,
    ...cacheFields(result, terms),
  });
}

function encodeParts(parts: readonly (TextBlock | ImageBlock)[], terms: TurnTerms): readonly Printable[] {
  return parts.filter((part) => part.type === 'image' || isSentText(part)).map((part) => encodePart(part, terms));
}

function encodePart(part: TextBlock | ImageBlock, terms: TurnTerms): Printable {
  if (part.type === 'image') return isReadImage(part) ? { ...encodeImage(part), ...cacheFields(part, terms) } : encodeText({ ...part, text: UNREAD_IMAGE }, terms);
  return part.document === undefined ? encodeText(part, terms) : { ...encodeDocument(part.document), ...cacheFields(part, terms) };
}

function encodeDocument({ title, context, source }: DocumentFile): JsonObject {
  const encoded: JsonObject = source.kind === 'url' ? { type: 'url', url: source.url } : { type: 'base64', media_type: source.mediaType, data: source.data };
  return { type: 'document', source: encoded, ...(title === null || title === '' ? {} : { title }), ...(context === undefined ? {} : { context }) };
}

/** Image types that servers accept; the empty string stands for an unknown type. */
const IMAGE_TYPES: ReadonlySet<string> = new Set(['image/jpeg', 'image/png', 'image/gif', 'image/webp', '']);
const UNREAD_IMAGE = '[An image was left out here, because this model cannot read its type.]';

function isReadImage({ source }: ImageBlock): boolean {
  return source.kind === 'url' || IMAGE_TYPES.has(source.mediaType);
}

function encodeImage({ source }: ImageBlock): JsonObject {
  if (source.kind === 'url') return { type: 'image', source: { type: 'url', url: source.url } };
  return { type: 'image', source: { type: 'base64', media_type: source.mediaType || 'image/jpeg', data: source.data } };
}

/** Precedes a conversation that begins with an assistant turn: the format requires a user turn first. */
const SILENT_START: UserTurn = { role: 'user', content: [] };

/** The first turn is a user's, none is empty, roles alternate, and every tool call is followed by its results. */
export function encodeTurns({ turns }: Conversation, terms: TurnTerms): JsonText {
  const kept = turns.filter(isSentTurn).map(inOrder);
  const placed = terms.systemTurns === 'in-place' ? behindResults(kept) : kept;
  const merged = withSentIds(withTrimmedEnd(mergeTurns(placed, terms.systemTurns), terms));
  const told = merged[0]?.role === 'user' ? merged : [SILENT_START, ...merged];
  return printList(told.map((turn) => encodeTurn(turn, terms)));
}

function inOrder(turn: Turn): Turn {
  if (turn.role !== 'assistant') return turn;
  const content = orderedBlocks(turn.content);
  return content === turn.content ? turn : { ...turn, content };
}

/** Removes trailing whitespace of a final assistant text, which servers refuse. */
function withTrimmedEnd(turns: readonly Turn[], terms: TurnTerms): readonly Turn[] {
  const last = turns.at(-1);
  if (last?.role !== 'assistant') return turns;
  const at = last.content.findLastIndex((block) => block.type !== 'thinking' && isSent(block, terms));
  const block = last.content[at];
  if (block?.type !== 'text' || block.text.trimEnd() === block.text) return turns;
  return [...turns.slice(0, -1), { ...last, content: last.content.with(at, { ...block, text: block.text.trimEnd() }) }];
}

function encodeTurn(turn: Turn, terms: TurnTerms): JsonText {
  switch (turn.role) {
    case 'user': return encodeUserTurn(turn, terms);
    case 'assistant': return encodeAssistantTurn(turn, terms);
    case 'system': return printObject({ role: 'system', content: new JsonText(terms.texts.print(joinTexts(turn.content))) });
  }
}

/** Moves system turns that stand between a call and its results behind the results. */
function behindResults(turns: readonly Turn[]): readonly Turn[] {
  const placed: Turn[] = [];
  let waiting: Turn[] = [];
  let awaitsResults = false;
  for (const turn of turns) {
    if (turn.role === 'system' && awaitsResults) {
      waiting.push(turn);
      continue;
    }
    // If the next turn has no results, the system turns stay in place.
    placed.push(...(bringsResults(turn) ? [turn, ...waiting] : [...waiting, turn]));
    waiting = [];
    awaitsResults = turn.role === 'assistant' && callsTools(turn);
  }
  return [...placed, ...waiting];
}

function bringsResults({ content }: Turn): boolean {
  return content.some((block) => block.type === 'tool-result');
}

function callsTools({ content }: AssistantTurn): boolean {
  return content.some((block) => block.type === 'tool-call');
}
