import {
  type BlockOpening, type ErrorCode, GatewayError, type GenerationRequest, type Model, type ProviderCall, type StopReason, type TokenCount,
  type Tool, type ToolResultBlock, type UserTurn,
} from '@tollgate/core';
import { argumentsFromSchema, valueFromSchema } from './value-from-schema.js';
import { StopSequenceCutter } from '../reply/stop-sequences.js';
import { UpstreamFailure } from '../upstream/upstream-failure.js';

/** Enough to try parallel calls. */
const MAX_CALLS = 16;

/** The tools that the sandbox calls, in order: those the request insists on, else those the message asks for. */
function planToolCalls({ tools, toolChoice, parallelToolCalls }: GenerationRequest, triggers: Triggers): readonly Tool[] {
  if (tools.length === 0 || toolChoice?.kind === 'none') return [];
  const asked = askedTools(tools, triggers);
  const most = parallelToolCalls === false ? 1 : MAX_CALLS;
  if (asked.length > 0) return asked.slice(0, most);
  if (toolChoice?.kind === 'tool') return tools.filter(({ name }) => name === toolChoice.name).slice(0, 1);
  return toolChoice?.kind === 'any' ? tools.slice(0, 1) : [];
}

/** `[[tool]]` is the first tool, `[[tool:name]]` the named one, `[[tools:3]]` three calls that take turns among all tools. */
function askedTools(tools: readonly Tool[], triggers: Triggers): readonly Tool[] {
  const named = triggers.values('tool').flatMap((name) => tools.find((tool) => name === '' || tool.name === name) ?? []);
  const several = triggers.has('tools') ? triggers.count('tools', MAX_CALLS) ?? 2 : 0;
  const inTurn = Array.from({ length: several }, (_, position) => tools[position % tools.length]).filter((tool) => tool !== undefined);
  return [...named, ...inTurn];
}

const FILLER = [
  'This', ' is', ' simulated', ' text', ' from', ' the', ' sandbox.', ' No', ' model', ' wrote', ' it,', ' and', ' it', ' means', ' nothing.', ' ',
];
const REASONING_FILLER = ['This', ' is', ' simulated', ' reasoning.', ' Nobody', ' thought', ' about', ' it.', ' '];

/** A piece is what the sandbox calls one token: a short word with the space before it. */
const PIECE = /\s*\S{1,12}|\s+/gu;

function piecesOf(text: string): readonly string[] {
  return text.match(PIECE) ?? [];
}

function simulatedText(tokens: number): readonly string[] {
  return repeated(FILLER, tokens);
}

function simulatedReasoning(tokens: number): readonly string[] {
  return repeated(REASONING_FILLER, tokens);
}

/** The beginning of a text, short enough to quote. */
function quoted(text: string): string {
  const excerpt = text.length > 200 ? `${text.slice(0, 200)}…` : text;
  // The cut may go through a character, and so leave half of it: as bytes there are no halves.
  return `“${Buffer.from(excerpt, 'utf8').toString('utf8')}”`;
}

function repeated(pieces: readonly string[], count: number): readonly string[] {
  return Array.from({ length: count }, (_, position) => pieces[position % pieces.length] ?? '');
}

/** A block and the tokens it comes in. */
interface PlannedBlock {
  readonly opening: BlockOpening;
  readonly pieces: readonly string[];
}

/** What the sandbox wants to say, before any limit. */
interface PlannedReply {
  readonly blocks: readonly PlannedBlock[];
  readonly stopReason: StopReason;
}

const MAX_TOKENS = 1_000_000;
const DEFAULT_REASONING = 'Simulated reasoning: no model is thinking here.';

const STOP_REASONS: Readonly<Record<string, StopReason>> = {
  length: 'max-tokens',
  content_filter: 'content-filter',
  capacity: 'capacity',
};

export function lastUserTurn({ conversation }: GenerationRequest): UserTurn | null {
  return conversation.turns.findLast((turn) => turn.role === 'user') ?? null;
}

/** Plans a reply to the last message. The same request always gets the same one, but for the ids of tool calls. */
export function planReply(call: ProviderCall, triggers: Triggers, newToolCallId: () => string): PlannedReply {
  const { request, model } = call;
  const toolCalls = planToolCalls(request, triggers).map((tool): PlannedBlock => ({
    opening: { type: 'tool-call', id: newToolCallId(), name: tool.name },
    pieces: piecesOf(JSON.stringify(argumentsFromSchema(tool.inputSchema?.value ?? null))),
  }));
  const reasoning = model.reasoning ? reasoningPieces(call, triggers) : [];
  const text = toolCalls.length > 0 && !triggers.has('tokens') ? [] : textPieces(call, triggers);
  const asked = triggers.value('stop');
  const natural = toolCalls.length > 0 ? 'tool-call' : 'end';
  return {
    blocks: [...blockOf('thinking', reasoning), ...blockOf('text', text), ...toolCalls],
    stopReason: (asked !== null && Object.hasOwn(STOP_REASONS, asked) ? STOP_REASONS[asked] : undefined) ?? natural,
  };
}

function blockOf(type: 'thinking' | 'text', pieces: readonly string[]): readonly PlannedBlock[] {
  return pieces.length === 0 ? [] : [{ opening: { type }, pieces }];
}

/** One more than the reply may have, so that it ends as one that was cut off. */
function mostTokens(maxOutputTokens: TokenCount): number {
  return Math.min(MAX_TOKENS, maxOutputTokens + 1);
}

/** The trigger thinks where thinking is off too, as some servers do. */
function reasoningPieces({ request: { reasoning }, maxOutputTokens }: ProviderCall, triggers: Triggers): readonly string[] {
  const tokens = triggers.count('reasoning', mostTokens(maxOutputTokens));
  if (tokens !== null) return simulatedReasoning(tokens);
  return reasoning === 'off' ? [] : piecesOf(DEFAULT_REASONING);
}

function textPieces({ request, model, maxOutputTokens }: ProviderCall, triggers: Triggers): readonly string[] {
  const tokens = triggers.count('tokens', mostTokens(maxOutputTokens));
  if (tokens !== null) return simulatedText(tokens);
  const schema = request.outputSchema?.schema.value;
  if (schema !== undefined) return piecesOf(JSON.stringify(valueFromSchema(schema)));
  const message = `This is a simulated reply by the sandbox model ${model.slug}. ${whatWasSaid(request, triggers)}`;
  const asJson = request.responseFormat === 'json' || triggers.has('json');
  return piecesOf(asJson ? JSON.stringify({ simulated: true, model: model.slug, message }) : message);
}

function whatWasSaid(request: GenerationRequest, triggers: Triggers): string {
  const results = (lastUserTurn(request)?.content ?? []).filter((block) => block.type === 'tool-result');
  if (results.length > 0) return `The tools answered: ${results.map(describeResult).join('; ')}.`;
  const [unknown] = triggers.unknown;
  if (unknown !== undefined) return `There is no trigger named ${unknown}; the sandbox page of the documentation lists them.`;
  return triggers.text === '' ? 'No text was sent.' : `You said: ${quoted(triggers.text)}`;
}

function describeResult({ content, isError }: ToolResultBlock): string {
  const text = content.map((part) => (part.type === 'text' ? part.text : '(an image)')).join(' ');
  return isError ? `an error, ${quoted(text)}` : quoted(text);
}

/** A reply within the request's limits, and what it cost. */
export interface LimitedReply extends PlannedReply {
  readonly outputTokens: number;
  readonly reasoningTokens: number;
}

/** Ends the reply before the first stop sequence of its text, and after the last token there is room for. */
export function limitReply(reply: PlannedReply, stopSequences: readonly string[], maxOutputTokens: TokenCount): LimitedReply {
  return limitTokens(stopSequences.length === 0 ? reply : cutAtStopSequence(reply, stopSequences), maxOutputTokens);
}

function cutAtStopSequence(reply: PlannedReply, stopSequences: readonly string[]): PlannedReply {
  const blocks: PlannedBlock[] = [];
  for (const block of reply.blocks) {
    const cut = block.opening.type === 'text' ? cutText(block, stopSequences) : null;
    if (cut !== null) return { blocks: cut.pieces.length === 0 ? blocks : [...blocks, cut], stopReason: 'end' };
    blocks.push(block);
  }
  return reply;
}

/** The block up to the first stop sequence; `null` when there is none in it. */
function cutText({ opening, pieces }: PlannedBlock, stopSequences: readonly string[]): PlannedBlock | null {
  const cutter = new StopSequenceCutter(stopSequences);
  const kept: string[] = [];
  for (const piece of pieces) {
    const { text, stopped } = cutter.push(piece);
    if (text !== '') kept.push(text);
    if (stopped) return { opening, pieces: kept };
  }
  return null;
}

function limitTokens({ blocks, stopReason }: PlannedReply, maxOutputTokens: TokenCount): LimitedReply {
  const kept: PlannedBlock[] = [];
  let outputTokens = 0;
  let reasoningTokens = 0;
  for (const { opening, pieces } of blocks) {
    const room = maxOutputTokens - outputTokens;
    if (room > 0) kept.push({ opening, pieces: pieces.slice(0, room) });
    outputTokens += Math.min(room, pieces.length);
    if (opening.type === 'thinking') reasoningTokens = outputTokens;
    if (pieces.length > room) return { blocks: kept, stopReason: 'max-tokens', outputTokens, reasoningTokens };
  }
  return { blocks: kept, stopReason, outputTokens, reasoningTokens };
}

/** One `[[name]]` or `[[name:value]]` of a message. */
export interface Trigger {
  readonly name: string;
  /** Empty when there was none. */
  readonly value: string;
}

const TRIGGER = /\[\[([a-z]{1,20})(?::([^[\]]{0,100}))?\]\]/g;
/** All names that mean something. */
export const TRIGGER_NAMES: ReadonlySet<string> = new Set([
  'tokens', 'reasoning', 'tool', 'tools', 'json', 'latency', 'pace', 'stop', 'fail', 'refuse', 'usage', 'cached',
]);

/** What a message asks of the sandbox, and its text without that. */
export class Triggers {
  readonly #triggers: readonly Trigger[];
  /** The message without its triggers. */
  readonly text: string;

  constructor(message: string) {
    this.#triggers = [...message.matchAll(TRIGGER)].map(([, name = '', value = '']) => ({ name, value: value.trim() }));
    this.text = message.replaceAll(TRIGGER, '').trim();
  }

  has(name: string): boolean {
    return this.#triggers.some((trigger) => trigger.name === name);
  }

  /** The values of all triggers of that name, in order. */
  values(name: string): readonly string[] {
    return this.#triggers.filter((trigger) => trigger.name === name).map(({ value }) => value);
  }

  value(name: string): string | null {
    return this.values(name)[0] ?? null;
  }

  /** The value as a whole number from 0 to `most`; `null` when it is missing or none. */
  count(name: string, most: number): number | null {
    const value = this.value(name);
    return value === null || !/^\d{1,9}$/.test(value) ? null : Math.min(most, Number(value));
  }

  /** Names that mean nothing, so that a reply can say so. */
  get unknown(): readonly string[] {
    return this.#triggers.map(({ name }) => name).filter((name) => !TRIGGER_NAMES.has(name));
  }
}

/** The codes that `[[refuse:code]]` knows: every one a generation can be refused with. */
export const REFUSAL_CODES = [
  'invalid_request', 'context_length_exceeded', 'missing_api_key', 'invalid_api_key', 'insufficient_balance', 'email_not_verified',
  'account_inactive', 'account_blocked', 'api_key_blocked', 'ip_blocked', 'model_not_in_plan', 'model_not_in_key', 'model_not_found',
  'payload_too_large', 'rate_limit_exceeded', 'tokens_per_minute_exceeded', 'concurrency_limit_exceeded', 'daily_limit_exceeded', 'monthly_limit_exceeded',
  'api_key_limit_exceeded',   'provider_unavailable', 'maintenance_mode', 'server_busy', 'service_unavailable', 'internal_error',
] as const satisfies readonly ErrorCode[];

/** The name, at the sandbox, of a model that never serves: every reply comes from a fallback. */
export const UNAVAILABLE_MODEL = 'sandbox-unavailable';

/** Throws what the message, or the model, asks for in place of a reply. */
export function refuseAsAsked({ model, target, request }: ProviderCall, triggers: Triggers): void {
  const code = REFUSAL_CODES.find((known) => known === triggers.value('refuse'));
  if (code !== undefined) {
    throw new GatewayError(code, `Simulated refusal: ${code}.`);
  }
  if (target.upstreamModel === UNAVAILABLE_MODEL) throw new UpstreamFailure('server-error', 'this sandbox model never serves');
  const failure = triggers.value('fail');
  const fails = failure === 'everywhere' || (failure === 'before' && answersTo(model, request.model));
  if (fails) throw new UpstreamFailure('server-error', 'the sandbox was asked to fail before its output');
}

/** Whether the request named this model. A fallback was not named, and so serves when the named one fails. */
function answersTo({ slug, aliases }: Model, name: string): boolean {
  if (name === slug) return true;
  return aliases.some((alias) => (alias.endsWith('*') ? name.startsWith(alias.slice(0, -1)) : name === alias));
}
