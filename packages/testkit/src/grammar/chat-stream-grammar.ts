import { type Demand, GrammarBreach } from './grammar-breach.js';
import { demandCounts, demandError, demandKeys, demandReceipt, isShape, parseShape, receiptFieldsOf, type Shape } from './shape-demands.js';
import { type SseFrame, sseFramesOf } from './sse-frames.js';

interface CheckedChatStream {
  /** All chunks, including the last one. */
  readonly chunks: readonly Shape[];
  readonly text: string;
  /** The text of the refusal, or `null` if there is none. */
  readonly refusal: string | null;
  /** The text of the reasoning, or `null` if there is none. */
  readonly reasoning: string | null;
  readonly toolCalls: readonly { readonly id: string; readonly name: string; readonly arguments: string }[];
  readonly finishReason: string | null;
  /** The chunk with the charge, or `null` if the stream ended in an error. */
  readonly last: Shape | null;
  /** The error that ended the stream, or `null` if it ended normally. */
  readonly error: Shape | null;
}

const SHARED_FIELDS = ['id', 'object', 'created', 'model', 'system_fingerprint'] as const;
const FINISH_REASONS: ReadonlySet<unknown> = new Set(['stop', 'length', 'tool_calls', 'content_filter', 'insufficient_system_resource']);
const USAGE_COUNTS = ['prompt_tokens', 'completion_tokens', 'total_tokens', 'prompt_cache_hit_tokens', 'prompt_cache_miss_tokens'];

class ChatStreamReading {
  readonly chunks: Shape[] = [];
  text = '';
  refusal: string | null = null;
  reasoning: string | null = null;
  readonly toolCalls: { id: string; name: string; arguments: string }[] = [];
  finishReason: string | null = null;
  last: Shape | null = null;
  error: Shape | null = null;
  #done = false;

  get isComplete(): boolean {
    return this.#done || this.error !== null;
  }

  read(frame: SseFrame, demand: Demand): void {
    demand(!this.isComplete, 'nothing may follow the end');
    if (frame.data === null) return;
    demand(frame.event === null, 'chat frames have no event line');
    if (frame.data === '[DONE]') {
      demand(this.last !== null, '[DONE] comes right after the last chunk');
      this.#done = true;
      return;
    }
    demand(this.last === null, 'only [DONE] may follow the last chunk');
    const chunk = parseShape(frame.data, demand);
    if ('error' in chunk) this.#readError(chunk, demand);
    else this.#readChunk(chunk, demand);
  }

  #readError(chunk: Shape, demand: Demand): void {
    demandKeys(chunk, ['error'], demand);
    demandError(chunk['error'], demand);
    this.error = chunk['error'];
  }

  #readChunk(chunk: Shape, demand: Demand): void {
    const first = this.chunks[0] ?? chunk;
    for (const name of SHARED_FIELDS) demand(chunk[name] !== undefined && chunk[name] === first[name], `${name} must be the same in all chunks`);
    demand(chunk['object'] === 'chat.completion.chunk' && Number.isSafeInteger(chunk['created']), 'must be a chunk with a time of creation');
    this.chunks.push(chunk);
    const choices = chunk['choices'];
    demand(Array.isArray(choices), 'choices must be an array');
    if (choices.length === 0) return this.#readLast(chunk, demand);
    demand(this.finishReason === null, 'only the last chunk may follow the finish');
    demandKeys(chunk, [...SHARED_FIELDS, 'choices'], demand);
    const choice: unknown = choices[0];
    demand(choices.length === 1 && isShape(choice) && choice['index'] === 0, 'there must be one choice with index 0');
    demandKeys(choice, ['index', 'delta', 'logprobs', 'finish_reason'], demand);
    const delta = choice['delta'];
    demand(choice['logprobs'] === null && isShape(delta), 'a choice has null logprobs and a delta');
    if (choice['finish_reason'] !== null) return this.#readFinish(choice, delta, demand);
    if (this.chunks.length === 1) this.#readOpening(delta, demand);
    else this.#readDelta(delta, demand);
  }

  #readOpening(delta: Shape, demand: Demand): void {
    demandKeys(delta, ['role', 'content'], demand);
    demand(delta['role'] === 'assistant' && (delta['content'] === null || delta['content'] === ''), 'the first delta gives the role and no content');
  }

  #readDelta(delta: Shape, demand: Demand): void {
    const keys = Object.keys(delta);
    demand(keys.length === 1, 'a delta carries one thing');
    const [key] = keys;
    const value = key === undefined ? undefined : delta[key];
    if (key === 'tool_calls') return this.#readToolCall(value, demand);
    if (key === 'extra_content') return demand(isShape(value), 'what is to come back is an object');
    if (key === 'reasoning_details') return demand(Array.isArray(value) && value.length > 0 && value.every((detail) => isShape(detail)), 'details are a list of objects');
    demand(typeof value === 'string' && value !== '', 'a piece must be a string with something in it');
    if (key === 'content') this.text += value;
    else if (key === 'refusal') this.refusal = (this.refusal ?? '') + value;
    else if (key === 'reasoning_content') this.reasoning = (this.reasoning ?? '') + value;
    else demand(false, `a delta must not have the key ${key}`);
  }

  #readToolCall(value: unknown, demand: Demand): void {
    demand(Array.isArray(value) && value.length === 1 && isShape(value[0]), 'a delta carries one tool call');
    const call: Shape = value[0];
    const named = call['function'];
    demand(isShape(named) && typeof named['arguments'] === 'string', 'a tool call fragment has arguments');
    if ('id' in call) {
      demandKeys(call, ['index', 'id', 'type', 'function', ...('extra_content' in call ? ['extra_content'] : [])], demand);
      demandKeys(named, ['name', 'arguments'], demand);
      const { id, type } = call;
      const { name } = named;
      demand(call['index'] === this.toolCalls.length, 'tool calls are numbered in order');
      demand(typeof id === 'string' && id !== '' && type === 'function' && typeof name === 'string' && name !== '', 'a tool call opens with id, type and name');
      demand(named['arguments'] === '', 'a tool call opens without arguments');
      this.#demandArguments(demand);
      this.toolCalls.push({ id, name, arguments: '' });
      return;
    }
    demandKeys(call, ['index', 'function'], demand);
    demandKeys(named, ['arguments'], demand);
    const open = this.toolCalls.at(-1);
    demand(open !== undefined && call['index'] === this.toolCalls.length - 1, 'fragments belong to the tool call opened last');
    demand(named['arguments'] !== '', 'a fragment must hold something');
    open.arguments += named['arguments'];
  }

  #demandArguments(demand: Demand): void {
    const open = this.toolCalls.at(-1);
    demand(open === undefined || open.arguments.trim() !== '', 'the arguments of the tool call before must not be blank');
  }

  #readFinish(choice: Shape, delta: Shape, demand: Demand): void {
    const reason = choice['finish_reason'];
    demand(this.chunks.length > 1, 'the role comes before the finish');
    demandKeys(delta, [], demand);
    demand(typeof reason === 'string' && FINISH_REASONS.has(reason), 'the finish reason must be one of the five');
    this.#demandArguments(demand);
    this.finishReason = reason;
  }

  #readLast(chunk: Shape, demand: Demand): void {
    demand(this.finishReason !== null, 'the last chunk comes after the finish');
    const usage = chunk['usage'];
    demandKeys(chunk, [...SHARED_FIELDS, 'choices', ...('usage' in chunk ? ['usage'] : []), ...receiptFieldsOf(chunk)], demand);
    demandReceipt(chunk, demand);
    if ('usage' in chunk) {
      demand(isShape(usage), 'usage must be an object');
      demandUsage(usage, demand);
      for (const name of receiptFieldsOf(chunk)) demand(usage[name] === chunk[name], `${name} must say the same in usage and beside it`);
    }
    this.last = chunk;
  }
}

function demandUsage(usage: Shape, demand: Demand): void {
  demandCounts(usage, USAGE_COUNTS, demand);
  demandReceipt(usage, demand);
  const { prompt_tokens_details: prompt, completion_tokens_details: completion } = usage;
  demand(isShape(prompt) && isShape(completion), 'usage has details');
  demandCounts(prompt, ['cached_tokens'], demand);
  demandCounts(completion, ['reasoning_tokens'], demand);
  const count = (name: string): number => Number(usage[name]);
  demand(count('prompt_tokens') + count('completion_tokens') === count('total_tokens'), 'prompt and completion make the total');
  demand(count('prompt_cache_hit_tokens') + count('prompt_cache_miss_tokens') === count('prompt_tokens'), 'hits and misses make the prompt');
  demand(prompt['cached_tokens'] === usage['prompt_cache_hit_tokens'], 'cached tokens are the hits');
  demand(Number(completion['reasoning_tokens']) <= count('completion_tokens'), 'reasoning is part of the completion');
}

/** Checks a whole stream and returns its contents. Throws `GrammarBreach` at the first frame that violates the format. */
export function checkChatStream(stream: string): CheckedChatStream {
  const reading = new ChatStreamReading();
  const frames = sseFramesOf(stream);
  for (const frame of frames) {
    reading.read(frame, (condition, why) => {
      if (!condition) throw new GrammarBreach(frame.number, why, frame.text);
    });
  }
  if (!reading.isComplete) throw new GrammarBreach(frames.length, 'the stream ends without [DONE] or an error', '');
  const { chunks, text, refusal, reasoning, toolCalls, finishReason, last, error } = reading;
  return { chunks, text, refusal, reasoning, toolCalls, finishReason, last, error };
}
