/** `arguments` is the model's JSON text. */
export interface ToolCall {
  readonly id: string;
  readonly name: string;
  readonly arguments: string;
}

export interface Receipt {
  readonly charged: string;
  readonly usd: string;
  /** Balance after the charge; `null` while pending. */
  readonly balance: string | null;
  /** True while the charge is not booked; it will be at most the receipt's amount. */
  readonly isPending: boolean;
  readonly promptTokens: number;
  readonly outputTokens: number;
}

interface ReplyFailure {
  readonly code: string;
  readonly message: string;
}

export interface ModelReply {
  readonly thinking: string;
  readonly text: string;
  readonly toolCalls: readonly ToolCall[];
  /** Number of text deltas, which is about the number of tokens. */
  readonly pieces: number;
  readonly receipt: Receipt | null;
  readonly failure: ReplyFailure | null;
  /** Stop reason in the format's terms. */
  readonly stopReason: string | null;
}

export const NO_REPLY: ModelReply = { thinking: '', text: '', toolCalls: [], pieces: 0, receipt: null, failure: null, stopReason: null };

export const FORMATS = ['chat', 'messages', 'responses'] as const;
export type Format = (typeof FORMATS)[number];

interface Charged {
  readonly svc_tokens_debited?: string;
  readonly svc_cost_usd?: string;
  readonly svc_balance_tokens?: string;
  /** Replaces the balance while the settlement is queued. */
  readonly svc_settlement?: 'pending';
}

function receiptOf(charged: Charged | null | undefined, promptTokens: number, outputTokens: number): Receipt | null {
  if (charged?.svc_tokens_debited === undefined || charged.svc_cost_usd === undefined) return null;
  const { svc_tokens_debited: debited, svc_cost_usd: usd, svc_balance_tokens: balance = null } = charged;
  return { charged: debited, usd, balance, isPending: charged.svc_settlement === 'pending', promptTokens, outputTokens };
}

interface ChatChunk extends Charged {
  readonly error?: { readonly code?: string; readonly message?: string };
  readonly usage?: { readonly prompt_tokens: number; readonly completion_tokens: number } | null;
  readonly choices?: readonly {
    readonly finish_reason?: string | null;
    readonly delta?: {
      readonly content?: string | null;
      readonly refusal?: string;
      readonly reasoning_content?: string;
      readonly tool_calls?: readonly { readonly index: number; readonly id?: string; readonly function?: { readonly name?: string; readonly arguments?: string } }[];
    };
  }[];
}

type ChatDelta = NonNullable<NonNullable<ChatChunk['choices']>[number]['delta']>;

function withToolCalls(calls: readonly ToolCall[], deltas: NonNullable<ChatDelta['tool_calls']>): readonly ToolCall[] {
  const next = [...calls];
  for (const { index, id, function: called } of deltas) {
    const before = next[index] ?? { id: id ?? '', name: '', arguments: '' };
    next[index] = { ...before, name: called?.name ?? before.name, arguments: before.arguments + (called?.arguments ?? '') };
  }
  return next;
}

function addChunk(reply: ModelReply, chunk: ChatChunk): ModelReply {
  const choice = chunk.choices?.[0];
  const { content, refusal = '', reasoning_content: thinking, tool_calls: calls } = choice?.delta ?? {};
  const text = (content ?? '') + refusal;
  const hasOutput = text !== '' || thinking !== undefined || calls !== undefined;
  return {
    thinking: reply.thinking + (thinking ?? ''),
    text: reply.text + text,
    toolCalls: calls === undefined ? reply.toolCalls : withToolCalls(reply.toolCalls, calls),
    pieces: reply.pieces + (hasOutput ? 1 : 0),
    stopReason: choice?.finish_reason ?? reply.stopReason,
    receipt: receiptOf(chunk, chunk.usage?.prompt_tokens ?? 0, chunk.usage?.completion_tokens ?? 0) ?? reply.receipt,
    failure: chunk.error === undefined ? reply.failure : failureOf(chunk.error),
  };
}

function failureOf({ code, message }: { readonly code?: string; readonly message?: string }): ReplyFailure {
  return { code: code ?? 'unknown', message: message ?? '' };
}

interface MessagesEvent {
  readonly type: string;
  readonly error?: { readonly code?: string; readonly message?: string };
  readonly content_block?: { readonly type: string; readonly id?: string; readonly name?: string };
  readonly delta?: { readonly type?: string; readonly text?: string; readonly thinking?: string; readonly partial_json?: string; readonly stop_reason?: string | null };
  readonly usage?: Charged & { readonly input_tokens: number; readonly cache_read_input_tokens?: number; readonly output_tokens: number };
}

function addDelta(reply: ModelReply, { text = '', thinking = '', partial_json: json = '' }: NonNullable<MessagesEvent['delta']>): ModelReply {
  const last = reply.toolCalls.at(-1);
  const toolCalls = json === '' || last === undefined ? reply.toolCalls : [...reply.toolCalls.slice(0, -1), { ...last, arguments: last.arguments + json }];
  return { ...reply, text: reply.text + text, thinking: reply.thinking + thinking, toolCalls, pieces: reply.pieces + (text + thinking + json === '' ? 0 : 1) };
}

function addEvent(reply: ModelReply, event: MessagesEvent): ModelReply {
  const { delta, usage, content_block: block } = event;
  switch (event.type) {
    case 'content_block_start':
      return block?.type === 'tool_use' ? { ...reply, toolCalls: [...reply.toolCalls, { id: block.id ?? '', name: block.name ?? '', arguments: '' }] } : reply;
    case 'content_block_delta':
      return addDelta(reply, delta ?? {});
    case 'message_delta':
      return { ...reply, stopReason: delta?.stop_reason ?? reply.stopReason, receipt: receiptOf(usage, (usage?.input_tokens ?? 0) + (usage?.cache_read_input_tokens ?? 0), usage?.output_tokens ?? 0) };
    case 'error':
      return { ...reply, failure: failureOf(event.error ?? {}) };
    default:
      return reply;
  }
}

interface ResponsesEvent {
  readonly type: string;
  readonly delta?: string;
  readonly code?: string;
  readonly message?: string;
  readonly item?: { readonly type: string; readonly call_id?: string; readonly name?: string };
  readonly response?: {
    readonly status: string;
    readonly incomplete_details?: { readonly reason: string } | null;
    readonly usage?: Charged & { readonly input_tokens: number; readonly output_tokens: number } | null;
  };
}

function endResponse(reply: ModelReply, { status, incomplete_details: incomplete, usage }: NonNullable<ResponsesEvent['response']>): ModelReply {
  return { ...reply, stopReason: incomplete?.reason ?? status, receipt: receiptOf(usage, usage?.input_tokens ?? 0, usage?.output_tokens ?? 0) };
}

function addResponsesEvent(reply: ModelReply, event: ResponsesEvent): ModelReply {
  const { type, delta = '', item, response } = event;
  switch (type) {
    case 'response.output_item.added':
      return item?.type === 'function_call' ? { ...reply, toolCalls: [...reply.toolCalls, { id: item.call_id ?? '', name: item.name ?? '', arguments: '' }] } : reply;
    case 'response.reasoning_summary_text.delta':
      return addDelta(reply, { thinking: delta });
    case 'response.output_text.delta':
      return addDelta(reply, { text: delta });
    case 'response.function_call_arguments.delta':
      return addDelta(reply, { partial_json: delta });
    case 'response.completed':
    case 'response.incomplete':
      return response === undefined ? reply : endResponse(reply, response);
    case 'error':
      return { ...reply, failure: failureOf(event) };
    default:
      return reply;
  }
}

/** Ignores data that is not JSON, such as the chat format's last line. */
export function afterData(reply: ModelReply, format: Format, data: string): ModelReply {
  if (!data.startsWith('{')) return reply;
  const value: unknown = JSON.parse(data);
  switch (format) {
    case 'chat': return addChunk(reply, value as ChatChunk);
    case 'messages': return addEvent(reply, value as MessagesEvent);
    case 'responses': return addResponsesEvent(reply, value as ResponsesEvent);
  }
}
