import * as fc from 'fast-check';
import { type JsonMutation, jsonMutation, mutated } from './json-mutation.js';
import { type JsonTree, leaf, textOf, valuesIn, withValueAt } from './json-tree.js';
import type { StreamFrame } from './sound-replies.js';

/** A change of a stream's frames. Positions are taken modulo the number of frames. */
export type StreamMutation =
  | { readonly kind: 'change'; readonly at: number; readonly change: JsonMutation }
  | { readonly kind: 'drop' | 'repeat' | 'truncate'; readonly at: number }
  | { readonly kind: 'move'; readonly from: number; readonly to: number }
  | { readonly kind: 'insert'; readonly at: number; readonly event: string | null; readonly text: string }
  /** `number` counts the stream's numbers from the end, because the charged figures are in the last frame. */
  | { readonly kind: 'change-number'; readonly at: number; readonly number: number; readonly text: string }
  | { readonly kind: 'rename-event'; readonly at: number; readonly event: string | null };

const at = fc.nat({ max: 1_000 });

const EVENTS = [null, '', 'message', 'error', 'ping', 'message_start', 'message_stop', 'message_delta', 'content_block_start', 'content_block_delta', 'content_block_stop',
  'response.created', 'response.in_progress', 'response.output_item.added', 'response.output_item.done', 'response.output_text.delta', 'response.completed', 'response.failed', '__proto__', 'x',
];

const GARBAGE = [
  '[DONE]', ' [DONE] ', '[DONE', 'null', '0', '"x"', '[]', '{}', '{', '', ' ', 'undefined', '{"error":null}', '{"error":{}}', '{"error":"broken"}', '{"error":{"message":"no","type":"x","code":400}}',
  '{"error":{"message":"maximum context length is 10 tokens","type":"invalid_request_error","code":"context_length_exceeded"}}', '{"type":"error","error":{"type":"overloaded_error","message":"later"}}',
  '{"choices":[]}', '{"choices":null}', '{"choices":[null]}', '{"choices":{}}', '{"choices":[{}]}', '{"choices":[{"delta":null}]}', '{"choices":[{"delta":{"content":"again"}}]}',
  '{"choices":[{"delta":{"reasoning_content":"late"}}]}', '{"choices":[{"delta":{"content":"a","reasoning":"b","tool_calls":[{"function":{"name":"x"}}]},"finish_reason":"stop"}]}',
  '{"choices":[{"delta":{"tool_calls":[{"index":0,"id":"other","function":{"arguments":"}"}}]}}]}', '{"choices":[{"delta":{"tool_calls":[{"index":7,"function":{"name":"late","arguments":"{}"}}]}}]}',
  '{"choices":[{"delta":{"tool_calls":[{"index":-1},{"index":1e300},null,{"index":"0","id":0}]}}]}', '{"choices":[{"delta":{},"finish_reason":"stop"}]}', '{"choices":[{"finish_reason":"__proto__"}]}',
  '{"choices":[{"index":1,"delta":{"content":"second choice"}}]}', '{"choices":[{"delta":{"content":[{"type":"text","text":"part"}]}}]}',
  '{"choices":[],"usage":{"prompt_tokens":-5,"completion_tokens":-1}}', '{"choices":[],"usage":{"prompt_tokens":1e308,"completion_tokens":1e400}}',
  '{"choices":[],"usage":{"prompt_tokens":0.5,"completion_tokens":"7"}}', '{"choices":[],"usage":{"prompt_tokens":9007199254740993,"completion_tokens":1}}',
  '{"choices":[],"usage":{"prompt_tokens":10,"completion_tokens":1,"prompt_tokens_details":{"cached_tokens":99}}}', '{"choices":[],"usage":{"prompt_tokens":10,"completion_tokens":4,"completion_tokens_details":{"reasoning_tokens":-4}}}',
  '{"type":"ping"}', '{"type":"message_stop"}', '{"type":"content_block_stop","index":0}', '{"type":"content_block_delta","index":9,"delta":{"type":"text_delta","text":"astray"}}',
  '{"type":"content_block_start","index":0,"content_block":{"type":"tool_use","id":"t","name":"n","input":{"a":1}}}', '{"type":"content_block_start","index":1,"content_block":{"type":"unknown"}}',
  '{"type":"content_block_delta","index":0,"delta":{"type":"input_json_delta","partial_json":"{"}}', '{"type":"content_block_delta","index":0,"delta":{"type":"signature_delta","signature":"s"}}',
  '{"type":"message_delta","delta":{"stop_reason":"end_turn"},"usage":{"output_tokens":-3}}', '{"type":"message_delta","delta":{"stop_reason":null},"usage":{"output_tokens":1e300,"input_tokens":5}}',
  '{"type":"message_start","message":{"usage":{"input_tokens":-1,"cache_read_input_tokens":1e20}}}', '{"type":"__proto__"}',
  '{"type":"response.created"}', '{"type":"response.completed"}', '{"type":"response.completed","response":null}', '{"type":"response.incomplete","response":{"incomplete_details":{"reason":"__proto__"}}}',
  '{"type":"response.completed","response":{"status":"completed","usage":{"input_tokens":-1,"output_tokens":1e300}}}', '{"type":"response.completed","response":{"status":"failed","error":null}}',
  '{"type":"response.failed","response":{"status":"failed","error":{"code":"server_error","message":"no"}}}', '{"type":"response.failed"}', '{"type":"error","code":"rate_limit_exceeded","message":"later"}',
  '{"type":"response.output_item.added","output_index":0,"item":{"type":"message"}}', '{"type":"response.output_item.added","output_index":9,"item":{"type":"web_search_call"}}',
  '{"type":"response.output_item.added","output_index":1,"item":{"type":"function_call"}}', '{"type":"response.output_item.added","output_index":-1,"item":null}',
  '{"type":"response.output_item.done","output_index":0,"item":{"type":"message","content":[{"text":"again"}]}}', '{"type":"response.output_item.done","output_index":1e300,"item":{"type":"reasoning","encrypted_content":1}}',
  '{"type":"response.output_item.done","output_index":7,"item":{"type":"function_call","call_id":"late","name":"weather","arguments":"{"}}', '{"type":"response.output_item.done"}',
  '{"type":"response.output_text.delta","output_index":9,"delta":"astray"}', '{"type":"response.output_text.delta","output_index":0,"delta":{}}', '{"type":"response.refusal.delta","output_index":0,"delta":"No."}',
  '{"type":"response.function_call_arguments.delta","output_index":0,"delta":"{"}', '{"type":"response.reasoning_text.delta","output_index":0,"delta":"late"}',
  '{"type":"response.reasoning_summary_text.delta","output_index":0,"summary_index":-3,"delta":"part"}', '{"object":"response"}', '{"object":"response","status":"completed","output":[null,{"type":"message","content":"x"}]}',
];

const NUMBERS = ['-1', '-0', '0', '0.5', '1e9', '1e308', '1e400', '-1e400', '9007199254740991', '9007199254740993', '128000', '128001', '8192', '8193', 'null', '"7"', '{}', 'NaN'];

const change = fc.record({ kind: fc.constant('change'), at, change: jsonMutation });

export const streamMutation: fc.Arbitrary<StreamMutation> = fc.oneof(
  { weight: 8, arbitrary: change },
  { weight: 2, arbitrary: fc.record({ kind: fc.constantFrom('drop', 'repeat'), at }) },
  { weight: 1, arbitrary: fc.record({ kind: fc.constant('truncate'), at }) },
  { weight: 2, arbitrary: fc.record({ kind: fc.constant('move'), from: at, to: at }) },
  { weight: 4, arbitrary: fc.record({ kind: fc.constant('insert'), at, event: fc.constantFrom(...EVENTS), text: fc.constantFrom(...GARBAGE) }) },
  { weight: 4, arbitrary: fc.record({ kind: fc.constant('change-number'), at: fc.nat({ max: 5 }), number: at, text: fc.constantFrom(...NUMBERS) }) },
  { weight: 1, arbitrary: fc.record({ kind: fc.constant('rename-event'), at, event: fc.constantFrom(...EVENTS) }) },
) as fc.Arbitrary<StreamMutation>;

function isNumber(tree: JsonTree): boolean {
  return tree.kind === 'leaf' && /^-?\d/.test(tree.text);
}

function withNumberChanged(frames: readonly StreamFrame[], { at: fromEnd, number, text }: Extract<StreamMutation, { kind: 'change-number' }>): readonly StreamFrame[] {
  const withNumbers = frames.flatMap(({ data }, position) => (valuesIn(data).some(isNumber) ? [position] : []));
  const place = withNumbers.at(-1 - (fromEnd % Math.max(1, withNumbers.length)));
  const frame = place === undefined ? undefined : frames[place];
  if (place === undefined || frame === undefined) return frames;
  const numbers = valuesIn(frame.data).flatMap((value, position) => (isNumber(value) ? [position] : []));
  const chosen = numbers[number % numbers.length] ?? 0;
  return frames.with(place, { ...frame, data: withValueAt(frame.data, chosen, () => [leaf(text)]) });
}

export function withMutatedFrames(frames: readonly StreamFrame[], mutation: StreamMutation): readonly StreamFrame[] {
  if (mutation.kind === 'insert') return frames.toSpliced(mutation.at % (frames.length + 1), 0, { event: mutation.event, data: leaf(mutation.text) });
  if (frames.length === 0) return frames;
  const place = (mutation.kind === 'move' ? mutation.from : mutation.at) % frames.length;
  const frame = frames[place];
  if (frame === undefined) return frames;
  switch (mutation.kind) {
    case 'change': return frames.with(place, { ...frame, data: mutated(frame.data, mutation.change) });
    case 'drop': return frames.toSpliced(place, 1);
    case 'repeat': return frames.toSpliced(place, 0, frame);
    case 'truncate': return frames.slice(0, place);
    case 'move': return frames.toSpliced(place, 1).toSpliced(mutation.to % frames.length, 0, frame);
    case 'change-number': return withNumberChanged(frames, mutation);
    case 'rename-event': return frames.with(place, { ...frame, event: mutation.event });
  }
}

const LINE_ENDS = ['\n', '\r\n', '\r'] as const;

/** How frames are written; the line ends are used in turn. */
export interface Framing {
  readonly lineEnds: readonly (typeof LINE_ENDS)[number][];
  /** Lines written between the frames, in turn. */
  readonly between: readonly string[];
  readonly byteOrderMark: boolean;
}

export const framing: fc.Arbitrary<Framing> = fc.record({
  lineEnds: fc.oneof({ weight: 3, arbitrary: fc.constant(['\n' as const]) }, { weight: 2, arbitrary: fc.array(fc.constantFrom(...LINE_ENDS), { minLength: 1, maxLength: 3 }) }),
  between: fc.oneof(
    { weight: 4, arbitrary: fc.constant(['']) },
    { weight: 1, arbitrary: fc.array(fc.constantFrom('', ': keep-alive\n\n', ':\n', 'id: 1\n', 'retry: 1\n\n', 'garbage\n', 'data\n\n', 'data:\n', '\n\n\n', '<html>\n', '\0', '\r'), { minLength: 1, maxLength: 4 }) },
  ),
  byteOrderMark: fc.integer({ min: 0, max: 9 }).map((number) => number === 9),
});

export function bytesOfFrames(frames: readonly StreamFrame[], { lineEnds, between, byteOrderMark }: Framing): Buffer {
  let lines = 0;
  const lineEnd = (): string => lineEnds[lines++ % lineEnds.length] ?? '\n';
  const texts = frames.map(({ event, data }, number) => {
    const eventLine = event === null ? '' : `event: ${event}${lineEnd()}`;
    return `${between[number % between.length] ?? ''}${eventLine}data: ${textOf(data)}${lineEnd()}${lineEnd()}`;
  });
  return Buffer.from(`${byteOrderMark ? '\uFEFF' : ''}${texts.join('')}`);
}
