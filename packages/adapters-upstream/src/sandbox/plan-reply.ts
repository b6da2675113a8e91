import {
  type BlockOpening, type ErrorCode, GatewayError, type GenerationRequest, type Model, type ProviderCall, type StopReason, type TokenCount,
  type Tool, type ToolResultBlock, type UserTurn,
} from '@tollgate/core';
import { argumentsFromSchema, valueFromSchema } from './value-from-schema.js';
import { StopSequenceCutter } from '../reply/stop-sequences.js';
import { UpstreamFailure } from '../upstream/upstream-failure.js';

const MAX_CALLS = 16;

/** Tools to call, in order: those that the request requires, otherwise those of triggers. */
function planToolCalls({ tools, toolChoice, parallelToolCalls }: GenerationRequest, triggers: Triggers): readonly Tool[] {
  if (tools.length === 0 || toolChoice?.kind === 'none') return [];
  const asked = askedTools(tools, triggers);
  const most = parallelToolCalls === false ? 1 : MAX_CALLS;
  if (asked.length > 0) return asked.slice(0, most);
  if (toolChoice?.kind === 'tool') return tools.filter(({ name }) => name === toolChoice.name).slice(0, 1);
  return toolChoice?.kind === 'any' ? tools.slice(0, 1) : [];
}

/** `[[tool]]`: the first tool; `[[tool:name]]`: the named one; `[[tools:3]]`: three calls in turns. */
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

/** The sandbox's token: a short word with preceding whitespace. */
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

/** The beginning of a text. */
function quoted(text: string): string {
  const excerpt = text.length > 200 ? `${text.slice(0, 200)}…` : text;
  // The cut may split a surrogate pair; encoding replaces the lone half.
  return `“${Buffer.from(excerpt, 'utf8').toString('utf8')}”`;
}

function repeated(pieces: readonly string[], count: number): readonly string[] {
  return Array.from({ length: count }, (_, position) => pieces[position % pieces.length] ?? '');
}

interface PlannedBlock {
  readonly opening: BlockOpening;
  readonly pieces: readonly string[];
}

/** Before any limit. */
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

/** Deterministic except for call ids. */
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

/** One more than allowed, so that it is truncated. */
function mostTokens(maxOutputTokens: TokenCount): number {
  return Math.min(MAX_TOKENS, maxOutputTokens + 1);
}

/** The trigger also works with reasoning off, as on some servers. */
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

/** Within the request's limits, with its usage. */
export interface LimitedReply extends PlannedReply {
  readonly outputTokens: number;
  readonly reasoningTokens: number;
}

/** Ends before the first stop sequence, and at the output limit. */
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

/** `null` without a stop sequence. */
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

/** `[[name]]` or `[[name:value]]`. */
export interface Trigger {
  readonly name: string;
  /** Empty without a value. */
  readonly value: string;
}

const TRIGGER = /\[\[([a-z]{1,20})(?::([^[\]]{0,100}))?\]\]/g;
export const TRIGGER_NAMES: ReadonlySet<string> = new Set([
  'tokens', 'reasoning', 'tool', 'tools', 'json', 'latency', 'pace', 'stop', 'fail', 'refuse', 'usage', 'cached',
]);

/** Triggers of a message, and the text without them. */
export class Triggers {
  readonly #triggers: readonly Trigger[];
  readonly text: string;

  constructor(message: string) {
    this.#triggers = [...message.matchAll(TRIGGER)].map(([, name = '', value = '']) => ({ name, value: value.trim() }));
    this.text = message.replaceAll(TRIGGER, '').trim();
  }

  has(name: string): boolean {
    return this.#triggers.some((trigger) => trigger.name === name);
  }

  /** In order. */
  values(name: string): readonly string[] {
    return this.#triggers.filter((trigger) => trigger.name === name).map(({ value }) => value);
  }

  value(name: string): string | null {
    return this.values(name)[0] ?? null;
  }

  /** From 0 to `most`; `null` if missing or invalid. */
  count(name: string, most: number): number | null {
    const value = this.value(name);
    return value === null || !/^\d{1,9}$/.test(value) ? null : Math.min(most, Number(value));
  }

  /** Reported in the reply. */
  get unknown(): readonly string[] {
    return this.#triggers.map(({ name }) => name).filter((name) => !TRIGGER_NAMES.has(name));
  }
}

/** Codes of `[[refuse:code]]`: all that a generation can be refused with. */
export const REFUSAL_CODES = [
  'invalid_request', 'context_length_exceeded', 'missing_api_key', 'invalid_api_key', 'insufficient_balance', 'email_not_verified',
  'account_inactive', 'account_blocked', 'api_key_blocked', 'ip_blocked', 'model_not_in_plan', 'model_not_in_key', 'model_not_found',
  'payload_too_large', 'rate_limit_exceeded', 'tokens_per_minute_exceeded', 'concurrency_limit_exceeded', 'daily_limit_exceeded', 'monthly_limit_exceeded',
  'api_key_limit_exceeded',   'provider_unavailable', 'maintenance_mode', 'server_busy', 'service_unavailable', 'internal_error',
] as const satisfies readonly ErrorCode[];

/** A model that never serves, so that fallbacks do. */
export const UNAVAILABLE_MODEL = 'sandbox-unavailable';

/** Throws what the message's triggers or the model ask for. */
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

/** True if the request named this model, rather than falling back to it. */
function answersTo({ slug, aliases }: Model, name: string): boolean {
  if (name === slug) return true;
  return aliases.some((alias) => (alias.endsWith('*') ? name.startsWith(alias.slice(0, -1)) : name === alias));
}
