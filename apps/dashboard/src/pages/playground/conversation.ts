import type { SnippetInput, SnippetMessage, SnippetTurn } from '../../components/snippets';
import type { Format, ModelReply, ToolCall } from './reply';

/** `address` is a data URL. */
export interface Picture {
  readonly name: string;
  readonly address: string;
}

export interface UserTurn {
  readonly role: 'user';
  readonly text: string;
  readonly pictures: readonly Picture[];
  /** Results by tool call. */
  readonly results: readonly { readonly call: ToolCall; readonly result: string }[];
}

export interface ModelTurn {
  readonly role: 'model';
  readonly model: string;
  readonly reply: ModelReply;
  readonly requestId: string | null;
  /** Milliseconds from the request to the first output; `null` until then. */
  readonly firstOutput: number | null;
  readonly took: number | null;
  readonly stopped: boolean;
  /** `null` after a reload, which does not keep these texts. */
  readonly raw: RawExchange | null;
}

/** Texts as they were sent and received; a long reply is cut. */
export interface RawExchange {
  readonly request: string;
  readonly status: number;
  readonly reply: string;
  readonly isCut: boolean;
}

export type Turn = UserTurn | ModelTurn;

export const EFFORTS = ['default', 'none', 'low', 'medium', 'high'] as const;
export type Effort = (typeof EFFORTS)[number];

export interface Settings {
  readonly model: string;
  readonly format: Format;
  readonly system: string;
  /** As typed; empty for the model's default. */
  readonly maximum: string;
  readonly temperature: string;
  readonly topP: string;
  /** One stop sequence a line. */
  readonly stop: string;
  readonly effort: Effort;
  /** Tools as JSON of the chat format; empty if there are none. */
  readonly tools: string;
}

interface Tool {
  readonly type: 'function';
  readonly function: { readonly name: string; readonly description?: string; readonly parameters?: unknown; readonly strict?: boolean };
}

const BUDGETS: Readonly<Record<'low' | 'medium' | 'high', number>> = { low: 1_024, medium: 4_096, high: 16_384 };
const MAX_MESSAGES = 1_024;

/** The tools in the text, or what is wrong with it. */
export function readTools(text: string): { readonly tools: readonly Tool[] } | { readonly problem: 'json' | 'list' | 'tool' } {
  if (text.trim() === '') return { tools: [] };
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch {
    return { problem: 'json' };
  }
  if (!Array.isArray(value)) return { problem: 'list' };
  const tools = value as readonly Partial<Tool>[];
  const areTools = tools.every((tool) => tool.type === 'function' && typeof tool.function?.name === 'string');
  return areTools ? { tools: tools as readonly Tool[] } : { problem: 'tool' };
}

function chatTurn(turn: Turn): readonly SnippetMessage[] {
  if (turn.role === 'model') {
    const { text, toolCalls } = turn.reply;
    const calls = toolCalls.map(({ id, name, arguments: given }) => ({ id, type: 'function', function: { name, arguments: given } }));
    return [{ role: 'assistant', content: text === '' && calls.length > 0 ? null : text, ...(calls.length === 0 ? {} : { tool_calls: calls }) }];
  }
  const results = turn.results.map(({ call, result }) => ({ role: 'tool', tool_call_id: call.id, content: result }) as SnippetMessage);
  if (turn.text === '' && turn.pictures.length === 0) return results;
  if (turn.pictures.length === 0) return [...results, { role: 'user', content: turn.text }];
  const pictures = turn.pictures.map(({ address }) => ({ type: 'image_url', image_url: { url: address } }));
  return [...results, { role: 'user', content: [...pictures, { type: 'text', text: turn.text }] }];
}

function inputOf(json: string): unknown {
  try {
    return JSON.parse(json);
  } catch {
    return {};
  }
}

function messagesTurn(turn: Turn): readonly SnippetMessage[] {
  if (turn.role === 'model') {
    const { text, toolCalls } = turn.reply;
    if (toolCalls.length === 0) return [{ role: 'assistant', content: text }];
    const uses = toolCalls.map(({ id, name, arguments: given }) => ({ type: 'tool_use', id, name, input: inputOf(given) }));
    return [{ role: 'assistant', content: [...(text === '' ? [] : [{ type: 'text', text }]), ...uses] }];
  }
  if (turn.results.length === 0 && turn.pictures.length === 0) return [{ role: 'user', content: turn.text }];
  const results = turn.results.map(({ call, result }) => ({ type: 'tool_result', tool_use_id: call.id, content: result }));
  const pictures = turn.pictures.map(({ address }) => {
    const [, media = '', data = ''] = /^data:([^;]+);base64,(.*)$/.exec(address) ?? [];
    return { type: 'image', source: { type: 'base64', media_type: media, data } };
  });
  return [{ role: 'user', content: [...results, ...pictures, ...(turn.text === '' ? [] : [{ type: 'text', text: turn.text }])] }];
}

function responsesTurn(turn: Turn): readonly SnippetTurn[] {
  if (turn.role === 'model') {
    const { text, toolCalls } = turn.reply;
    const calls = toolCalls.map(({ id, name, arguments: given }) => ({ type: 'function_call', call_id: id, name, arguments: given }) as const);
    return text === '' && calls.length > 0 ? calls : [{ role: 'assistant', content: text }, ...calls];
  }
  const results = turn.results.map(({ call, result }) => ({ type: 'function_call_output', call_id: call.id, output: result }) as const);
  if (turn.text === '' && turn.pictures.length === 0) return results;
  if (turn.pictures.length === 0) return [...results, { role: 'user', content: turn.text }];
  const pictures = turn.pictures.map(({ address }) => ({ type: 'input_image', image_url: address, detail: 'auto' }));
  return [...results, { role: 'user', content: [...pictures, { type: 'input_text', text: turn.text }] }];
}

/** The lines of `stop` that are not empty. */
export function stopSequences({ stop }: Pick<Settings, 'stop'>): readonly string[] {
  return stop.split('\n').filter((line) => line !== '');
}

function samplingOf({ temperature, topP }: Settings): Record<string, unknown> {
  return { ...(temperature === '' ? {} : { temperature: JSON.parse(temperature) as number }), ...(topP === '' ? {} : { top_p: JSON.parse(topP) as number }) };
}

function chatExtra(settings: Settings, tools: readonly Tool[]): Record<string, unknown> {
  const [{ effort }, stop] = [settings, stopSequences(settings)];
  return {
    ...samplingOf(settings),
    ...(stop.length === 0 ? {} : { stop }),
    ...(effort === 'default' ? {} : { reasoning_effort: effort }),
    ...(tools.length === 0 ? {} : { tools }),
  };
}

function messagesExtra(settings: Settings, tools: readonly Tool[]): Record<string, unknown> {
  const [{ effort }, stop] = [settings, stopSequences(settings)];
  const thinking = effort === 'none' ? { type: 'disabled' } : effort === 'default' ? null : { type: 'enabled', budget_tokens: BUDGETS[effort] };
  return {
    ...samplingOf(settings),
    ...(stop.length === 0 ? {} : { stop_sequences: stop }),
    ...(thinking === null ? {} : { thinking }),
    ...(tools.length === 0 ? {} : { tools: tools.map((tool) => ({ name: tool.function.name, ...(tool.function.description === undefined ? {} : { description: tool.function.description }), input_schema: tool.function.parameters ?? { type: 'object' } })) }),
  };
}

/**
 * The responses format has no stop sequences. It treats tools as strict by default, and strict tools require parameters, so `strict` and `parameters`
 * are always set.
 */
function responsesExtra(settings: Settings, tools: readonly Tool[]): Record<string, unknown> {
  return {
    ...samplingOf(settings),
    ...(settings.effort === 'default' ? {} : { reasoning: { effort: settings.effort } }),
    ...(tools.length === 0 ? {} : { tools: tools.map(({ type, function: { strict = false, parameters = { type: 'object' }, ...named } }) => ({ type, ...named, parameters, strict })) }),
  };
}

/** How each format encodes turns and settings. */
const WORDS: Readonly<Record<Format, { readonly turn: (turn: Turn) => readonly SnippetTurn[]; readonly extra: (settings: Settings, tools: readonly Tool[]) => Record<string, unknown> }>> = {
  chat: { turn: chatTurn, extra: chatExtra },
  messages: { turn: messagesTurn, extra: messagesExtra },
  responses: { turn: responsesTurn, extra: responsesExtra },
};

/**
 * Maximum number of output tokens; `undefined` for the model's default. The messages format requires a maximum, which must include the thinking
 * budget.
 */
function maximumOf({ format, maximum, effort }: Settings): number | undefined {
  if (maximum !== '') return JSON.parse(maximum) as number;
  if (format !== 'messages') return undefined;
  return MAX_MESSAGES + (effort === 'default' || effort === 'none' ? 0 : BUDGETS[effort]);
}

/** Contains the whole conversation; `store` is false. */
export function requestOf(settings: Settings, turns: readonly Turn[], baseUrl: string): SnippetInput {
  const { model, format, system } = settings;
  const read = readTools(settings.tools);
  const tools = 'tools' in read ? read.tools : [];
  const maxTokens = maximumOf(settings);
  const { turn, extra } = WORDS[format];
  return {
    baseUrl, model, format, stream: true, store: false, extra: extra(settings, tools),
    messages: [...(system.trim() === '' ? [] : [{ role: 'system', content: system } as const]), ...turns.flatMap(turn)], ...(maxTokens === undefined ? {} : { maxTokens }),
  };
}
