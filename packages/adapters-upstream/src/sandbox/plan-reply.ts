import type { BlockOpening, GenerationRequest, ProviderCall, StopReason, TokenCount, ToolResultBlock, UserTurn } from '@tollgate/core';
import { planToolCalls } from './plan-tool-calls.js';
import { piecesOf, quoted, simulatedReasoning, simulatedText } from './simulated-text.js';
import type { Triggers } from './triggers.js';
import { argumentsFromSchema, valueFromSchema } from './value-from-schema.js';

export interface PlannedBlock {
  readonly opening: BlockOpening;
  readonly pieces: readonly string[];
}

/** The reply before any limit is applied. */
export interface PlannedReply {
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

/** Plans the reply; the same call gives the same reply, except for call ids. */
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

/** The output limit plus one, so that a longer reply is recognised as truncated. */
function mostTokens(maxOutputTokens: TokenCount): number {
  return Math.min(MAX_TOKENS, maxOutputTokens + 1);
}

/** The pieces of reasoning. The trigger `[[reasoning]]` also works with reasoning off, since some servers reason anyway. */
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
  const code = triggers.value('refuse');
  if (code !== null) return `There is no code ${code} to refuse with; the sandbox page of the documentation lists them.`;
  return triggers.text === '' ? 'No text was sent.' : `You said: ${quoted(triggers.text)}`;
}

function describeResult({ content, isError }: ToolResultBlock): string {
  const text = content.map((part) => (part.type === 'text' ? part.text : '(an image)')).join(' ');
  return isError ? `an error, ${quoted(text)}` : quoted(text);
}
