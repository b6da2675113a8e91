import { isDeepStrictEqual } from 'node:util';
import { type Demand, GrammarBreach } from './grammar-breach.js';
import { demandCounts, demandError, demandKeys, demandReceipt, isShape, parseShape, receiptFieldsOf, type Shape } from './shape-demands.js';
import { type SseFrame, sseFramesOf } from './sse-frames.js';

interface CheckedResponsesStream {
  readonly events: readonly Shape[];
  readonly items: readonly Shape[];
  /** The response in the last event. */
  readonly response: Shape;
  /** The usage in the last event, or `null` if there was no charge. */
  readonly usage: Shape | null;
  /** The error that ended the stream, or `null` if it ended normally. */
  readonly error: Shape | null;
}

const LASTING_FIELDS = [
  'id', 'object', 'created_at', 'model', 'instructions', 'tools', 'tool_choice', 'parallel_tool_calls', 'temperature', 'top_p', 'text', 'reasoning',
  'max_output_tokens', 'metadata', 'prompt_cache_key', 'background', 'previous_response_id', 'service_tier', 'truncation', 'access_programs',
] as const;
const CHANGING_FIELDS = ['status', 'completed_at', 'error', 'incomplete_details', 'output', 'store'] as const;
const TERMINALS: ReadonlySet<unknown> = new Set(['response.completed', 'response.incomplete', 'response.failed']);
const INCOMPLETE_REASONS: ReadonlySet<unknown> = new Set(['max_output_tokens', 'content_filter']);
const FAILURE_CODES: ReadonlySet<unknown> = new Set(['server_error', 'rate_limit_exceeded', 'invalid_prompt', 'context_length_exceeded']);
const USAGE_COUNTS = ['input_tokens', 'output_tokens', 'total_tokens'];

/**
 * What the format requires of one type of item. `fields` are its fields at start and end besides `id`, `type` and `status`; `prefix` begins its ids.
 */
interface ItemForm {
  readonly prefix: string;
  readonly fields: readonly string[];
  /** Fields that an item may lack. */
  readonly optional: readonly string[];
  /** The field with the content, and its value while the content is empty. */
  readonly content: string;
  readonly empty: unknown;
  /** The `<name>` in the content events `response.<name>.delta` and `response.<name>.done`, or `null` for content without events. */
  readonly events: string | null;
  /** The field with the content in the `done` event, and the other fields of that event. */
  readonly done: readonly string[];
  /** What the names of the part's events begin with, or `null` for items without parts. */
  readonly part: string | null;
  /** The event fields that identify the part. */
  readonly index: readonly string[];
}

const CALL = { optional: ['namespace'], part: null, index: [] } as const;

const MESSAGE: ItemForm = {
  prefix: 'msg_', fields: ['role'], optional: [], content: 'content', empty: [], events: 'output_text', done: ['text', 'logprobs'], part: 'content_part', index: ['content_index'],
};

const ITEM_FORMS: Readonly<Record<string, ItemForm>> = {
  message: MESSAGE,
  reasoning: {
    prefix: 'rs_', fields: [], optional: ['encrypted_content'], content: 'summary', empty: [], events: 'reasoning_summary_text', done: ['text'], part: 'reasoning_summary_part', index: ['summary_index'],
  },
  function_call: { ...CALL, prefix: 'fc_', fields: ['call_id', 'name'], content: 'arguments', empty: '', events: 'function_call_arguments', done: ['arguments', 'name'] },
  custom_tool_call: { ...CALL, prefix: 'ctc_', fields: ['call_id', 'name'], content: 'input', empty: '', events: 'custom_tool_call_input', done: ['input'] },
  tool_search_call: { ...CALL, prefix: 'tsc_', fields: ['call_id', 'execution'], optional: [], content: 'arguments', empty: {}, events: null, done: [] },
};

/** A message whose part is a refusal. */
const REFUSAL: ItemForm = { ...MESSAGE, events: 'refusal', done: ['refusal'] };

interface OpenItem {
  readonly opening: Shape;
  /** The form of the item. For a message it is not known before its first part. */
  form: ItemForm;
  pieces: string;
  /** `open` from the part's first event until its text is done. The content of an item without parts is open from the start. */
  part: 'none' | 'open' | 'text-done' | 'done';
}

class ResponsesStreamReading {
  readonly events: Shape[] = [];
  readonly items: Shape[] = [];
  response: Shape | null = null;
  error: Shape | null = null;
  isComplete = false;
  #open: OpenItem | null = null;
  readonly #ids = new Set<unknown>();
  #created: Shape | null = null;

  read(frame: SseFrame, demand: Demand): void {
    demand(!this.isComplete, 'nothing may follow the end');
    if (frame.data === null) return;
    demand(frame.event !== null, 'every event has an event line');
    const event = parseShape(frame.data, demand);
    const { type } = event;
    demand(type === frame.event, 'the type of the data is the name of the event');
    demand(event['sequence_number'] === this.events.length, 'events are numbered from 0 without gaps');
    const number = this.events.push(event) - 1;
    demand((number === 0) === (type === 'response.created'), 'response.created comes first and once');
    demand(number !== 1 || type === 'response.in_progress', 'response.in_progress comes second');
    demand(this.error === null || type === 'response.failed', 'only response.failed may follow an error');
    if (type === 'error') return this.#readError(event, demand);
    if (type === 'response.created' || type === 'response.in_progress') return this.#readProgress(event, demand);
    if (TERMINALS.has(type)) return this.#readTerminal(event, demand);
    if (type === 'response.output_item.added') return this.#readAdded(event, demand);
    if (type === 'response.output_item.done') return this.#readDone(event, demand);
    this.#readContent(event, demand);
  }

  #readError(event: Shape, demand: Demand): void {
    demandKeys(event, ['type', 'sequence_number', 'code', 'message', 'param', 'error'], demand);
    const { error } = event;
    demandError(error, demand);
    for (const name of ['code', 'message', 'param']) demand(name in error && error[name] === event[name], `${name} must say the same in the error and beside it`);
    this.error = error;
  }

  #readResponse(event: Shape, demand: Demand): Shape {
    demandKeys(event, ['type', 'sequence_number', 'response'], demand);
    const { response } = event;
    demand(isShape(response), 'the event has the response');
    demandKeys(response, [...LASTING_FIELDS, ...CHANGING_FIELDS, ...('usage' in response ? ['usage'] : [])], demand);
    this.#created ??= response;
    for (const name of LASTING_FIELDS) demand(isDeepStrictEqual(response[name], this.#created[name]), `${name} must be the same in all events`);
    return response;
  }

  #readProgress(event: Shape, demand: Demand): void {
    const response = this.#readResponse(event, demand);
    demandResponse(response, demand);
    demand(response['status'] === 'in_progress' && isDeepStrictEqual(response['output'], this.#outputSoFar()), 'a response in progress has what was sent of it');
    demand(!('usage' in response), 'usage comes at the end only');
    demand(['completed_at', 'error', 'incomplete_details'].every((name) => response[name] === null), 'nothing has ended yet');
  }

  #outputSoFar(): readonly Shape[] {
    if (this.#open === null) return this.items;
    const { opening, form, pieces, part } = this.#open;
    if (form.events === null || part === 'none') return [...this.items, opening];
    return [...this.items, { ...opening, [form.content]: form.part === null ? pieces : [partOf(form, pieces)] }];
  }

  #readAdded(event: Shape, demand: Demand): void {
    demandKeys(event, ['type', 'sequence_number', 'output_index', 'item'], demand);
    const { item } = event;
    demand(this.#open === null, 'one item is open at a time');
    demand(event['output_index'] === this.items.length, 'items are numbered in order');
    demand(isShape(item), 'an item begins with its shape');
    const form = ITEM_FORMS[String(item['type'])];
    demand(form !== undefined, 'no client knows an item of this type');
    demandItem(item, form, demand);
    demand(item['status'] === 'in_progress' && isDeepStrictEqual(item[form.content], form.empty), 'an item begins in progress and empty');
    demand(!('encrypted_content' in item), 'reasoning is sealed when it is whole');
    demand(!this.#ids.has(item['id']), 'every item has an id of its own');
    this.#ids.add(item['id']);
    this.#open = { opening: item, form, pieces: '', part: form.part === null ? 'open' : 'none' };
  }

  #readContent(event: Shape, demand: Demand): void {
    const open = this.#open;
    demand(open !== null, 'content belongs to an open item');
    if (open.form === MESSAGE && isShape(event['part']) && event['part']['type'] === 'refusal') open.form = REFUSAL;
    const { form, opening } = open;
    const place = ['type', 'sequence_number', 'item_id', 'output_index', ...form.index];
    demand(event['output_index'] === this.items.length && event['item_id'] === opening['id'], 'content names the open item');
    demand(form.index.every((name) => event[name] === 0), 'an item has one part');
    const { type } = event;
    if (form.part !== null && type === `response.${form.part}.added`) return readPartAdded(event, open, place, demand);
    if (form.part !== null && type === `response.${form.part}.done`) return readPartDone(event, open, place, demand);
    if (form.events !== null && type === `response.${form.events}.delta`) return readDelta(event, open, place, demand);
    demand(form.events !== null && type === `response.${form.events}.done`, 'the open item has no event of this name');
    readTextDone(event, open, place, demand);
  }

  #readDone(event: Shape, demand: Demand): void {
    demandKeys(event, ['type', 'sequence_number', 'output_index', 'item'], demand);
    const open = this.#open;
    const { item } = event;
    demand(open !== null && event['output_index'] === this.items.length, 'the open item is done');
    demand(isShape(item), 'the item is there');
    const { form, opening, pieces, part } = open;
    demandItem(item, form, demand);
    for (const name of ['id', 'type', ...form.fields, 'namespace']) demand(item[name] === opening[name], `${name} must be what it was`);
    demand(item['status'] === 'completed' || item['status'] === 'incomplete', 'an item is completed or incomplete');
    if (form.part === null) demand(part === (form.events === null ? 'open' : 'text-done'), 'the content is done before its item');
    else demand(part === 'done' || (form.content === 'summary' && part === 'none'), 'the part is done before its item');
    demandContent(item, open, demand);
    if (item['type'] === 'function_call' && item['status'] === 'completed') demand(pieces.trim() !== '', 'the arguments of a call must not be blank');
    this.items.push(item);
    this.#open = null;
  }

  #readTerminal(event: Shape, demand: Demand): void {
    const { type } = event;
    demand((type === 'response.failed') === (this.error !== null), 'an error comes right before response.failed');
    const response = this.#readResponse(event, demand);
    demand(type === `response.${String(response['status'])}`, 'the status is the name of the event');
    if (type === 'response.failed') demandFailure(response, demand);
    else this.#demandEnd(response, demand);
    if ('usage' in response) demandUsage(response['usage'], demand);
    demand(typeof response['store'] === 'boolean', 'the response says whether it is kept');
    this.response = response;
    this.isComplete = true;
  }

  #demandEnd(response: Shape, demand: Demand): void {
    demand(this.#open === null, 'all items are done before the response is');
    demand(isDeepStrictEqual(response['output'], this.items), 'the output is all items as they were done');
    demand(response['error'] === null && 'usage' in response, 'the end has usage and no error');
    const details = response['incomplete_details'];
    if (response['status'] === 'completed') {
      demand(details === null && Number.isSafeInteger(response['completed_at']), 'a completed response says when');
      demand(this.items.every(({ status }) => status === 'completed'), 'a completed response has completed items');
      return;
    }
    demand(isShape(details) && INCOMPLETE_REASONS.has(details['reason']) && response['completed_at'] === null, 'an incomplete response says why');
    demand(this.items.every(({ status }, index) => (status === 'incomplete') === (index === this.items.length - 1)), 'of an incomplete response the last item is cut off');
  }
}

function readPartAdded(event: Shape, open: OpenItem, place: readonly string[], demand: Demand): void {
  demandKeys(event, [...place, 'part'], demand);
  demand(open.part === 'none', 'an item has one part');
  demand(isDeepStrictEqual(event['part'], partOf(open.form, '')), 'a part begins empty and whole');
  open.part = 'open';
}

function readDelta(event: Shape, open: OpenItem, place: readonly string[], demand: Demand): void {
  demandKeys(event, [...place, 'delta', ...(open.form.events === 'output_text' ? ['logprobs'] : [])], demand);
  const { delta } = event;
  demand(open.part === 'open', 'a piece belongs to an open part');
  demand(typeof delta === 'string' && delta !== '', 'a piece must be a string with something in it');
  demand(!('logprobs' in event) || isDeepStrictEqual(event['logprobs'], []), 'a piece of text has an empty list of probabilities');
  open.pieces += delta;
}

function readTextDone(event: Shape, open: OpenItem, place: readonly string[], demand: Demand): void {
  const { form, opening } = open;
  demandKeys(event, [...place, ...form.done], demand);
  demand(open.part === 'open', 'the text of an open part is done, once');
  demand(event[form.done[0] ?? ''] === open.pieces, 'the whole is all pieces');
  demand(!('name' in event) || event['name'] === opening['name'], 'the name must be what it was');
  demand(!('logprobs' in event) || isDeepStrictEqual(event['logprobs'], []), 'a text has an empty list of probabilities');
  open.part = 'text-done';
}

function readPartDone(event: Shape, open: OpenItem, place: readonly string[], demand: Demand): void {
  demandKeys(event, [...place, 'part'], demand);
  demand(open.part === 'text-done', 'a part is done after its text');
  demand(isDeepStrictEqual(event['part'], partOf(open.form, open.pieces)), 'the part has all pieces');
  open.part = 'done';
}

function partOf({ part, events }: ItemForm, text: string): Shape {
  if (events === 'refusal') return { type: 'refusal', refusal: text };
  return part === 'content_part' ? { type: 'output_text', text, annotations: [], logprobs: [] } : { type: 'summary_text', text };
}

function demandContent(item: Shape, { form, pieces, part }: OpenItem, demand: Demand): void {
  const content = item[form.content];
  if (form.events === null) return demand(isShape(content), 'the arguments of a search are an object');
  const expected = form.part === null ? pieces : part === 'none' ? [] : [partOf(form, pieces)];
  demand(isDeepStrictEqual(content, expected), 'the item has all pieces');
}

function demandItem(item: Shape, form: ItemForm, demand: Demand): void {
  const optional = form.optional.filter((name) => name in item);
  demandKeys(item, ['id', 'type', 'status', ...form.fields, form.content, ...optional], demand);
  demand(typeof item['id'] === 'string' && item['id'].startsWith(form.prefix), `its id begins with ${form.prefix}`);
  for (const name of [...form.fields, ...optional]) demand(typeof item[name] === 'string' && item[name] !== '', `an item has a ${name}`);
  demand(form.content !== 'content' || item['role'] === 'assistant', 'a message is the assistant’s');
}

function demandResponse(response: Shape, demand: Demand): void {
  const { id, model, created_at: createdAt, metadata, text, reasoning } = response;
  demand(typeof id === 'string' && id.startsWith('resp_') && response['object'] === 'response', 'the response says what it is');
  demand(typeof model === 'string' && model !== '' && Number.isSafeInteger(createdAt), 'the response has a model and a time of creation');
  demand(Array.isArray(response['tools']) && isShape(metadata) && isShape(text) && isShape(reasoning), 'the response has tools, metadata, text and reasoning');
  demand(typeof response['parallel_tool_calls'] === 'boolean' && typeof response['store'] === 'boolean', 'the response has its switches');
}

function demandFailure(response: Shape, demand: Demand): void {
  const { error } = response;
  demand(isShape(error), 'a failed response has an error');
  demandKeys(error, ['code', 'message'], demand);
  demand(FAILURE_CODES.has(error['code']) && typeof error['message'] === 'string', 'the error has a code that clients know, and words');
  demand(isDeepStrictEqual(response['output'], []) && response['completed_at'] === null && response['incomplete_details'] === null, 'a failed response has nothing else');
}

function demandUsage(usage: unknown, demand: Demand): void {
  demand(isShape(usage), 'usage must be an object');
  demandKeys(usage, [...USAGE_COUNTS, 'input_tokens_details', 'output_tokens_details', ...receiptFieldsOf(usage)], demand);
  demandCounts(usage, USAGE_COUNTS, demand);
  const { input_tokens_details: input, output_tokens_details: output } = usage;
  demand(isShape(input) && isShape(output), 'usage has details');
  demandKeys(input, ['cached_tokens', 'cache_write_tokens'], demand);
  demandCounts(input, ['cached_tokens', 'cache_write_tokens'], demand);
  demandKeys(output, ['reasoning_tokens'], demand);
  demandCounts(output, ['reasoning_tokens'], demand);
  demandReceipt(usage, demand);
  const count = (name: string): number => Number(usage[name]);
  demand(count('input_tokens') + count('output_tokens') === count('total_tokens'), 'input and output make the total');
  demand(Number(input['cached_tokens']) + Number(input['cache_write_tokens']) <= count('input_tokens'), 'what is cached is part of the input');
  demand(Number(output['reasoning_tokens']) <= count('output_tokens'), 'reasoning is part of the output');
}

/** Checks a whole stream and returns its contents. Throws `GrammarBreach` at the first frame that violates the format. */
export function checkResponsesStream(stream: string): CheckedResponsesStream {
  const reading = new ResponsesStreamReading();
  const frames = sseFramesOf(stream);
  for (const frame of frames) {
    reading.read(frame, (condition, why) => {
      if (!condition) throw new GrammarBreach(frame.number, why, frame.text);
    });
  }
  const { events, items, response, error } = reading;
  if (response === null) throw new GrammarBreach(frames.length, 'the stream ends without its last event', '');
  const { usage } = response;
  return { events, items, response, usage: isShape(usage) ? usage : null, error };
}
