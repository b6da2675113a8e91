import { describe, expect, it } from '@jest/globals';
import { type ReadReply, readPieces } from '../test-support/calls.js';
import { REPLY_KINDS } from '../test-support/every-kind.js';

const TERMS = { newToolCallId: () => 'made', localStopSequences: [], modelReasons: false };
const REPLY = { text: ['Hel', 'lo 漢😀'], toolCalls: [{ id: 'c1', name: 'f', arguments: '{"a":"é"}' }], usage: { prompt_tokens: 9, completion_tokens: 5, total_tokens: 14 } };
/** The field in which an event of each kind states why the reply ended. */
const FINISH = { openai: '"finish_reason":"', anthropic: '"stop_reason":"', responses: '"response.completed"' } as const;

describe.each(Object.keys(FINISH) as readonly (keyof typeof FINISH)[])('a stream of an upstream of kind %s', (name) => {
  const kind = REPLY_KINDS[name];
  const frames = kind.frames(REPLY);
  const bytes = Buffer.from(frames.join(''));
  const readTo = (length: number): ReadReply => readPieces(kind.newAssembler(TERMS), [bytes.subarray(0, length)]);
  /** Bytes up to the end of the JSON that states the finish reason. */
  const finished = Buffer.byteLength(frames.slice(0, frames.findIndex((frame) => frame.includes(FINISH[name])) + 1).join('').trimEnd());

  it('counts as cut off if it ends anywhere before its finish reason, even within an event or a character', () => {
    for (let length = 0; length < finished; length += 1) expect(() => readTo(length)).toThrow(expect.objectContaining({ reason: 'cut-off' }));
  });

  it('counts as complete if it ends anywhere after its finish reason, even within the event with the usage', () => {
    const whole = readTo(bytes.length);
    for (let length = finished; length < bytes.length; length += 1) {
      const { blocks, end } = readTo(length);
      expect([length, blocks, end?.stopReason]).toEqual([length, whole.blocks, whole.end?.stopReason]);
    }
  });
});

it.each(['openai', 'anthropic', 'responses'] as const)('a stream of an upstream of kind %s counts as cut off if it ends within an event of two mebibytes', (name) => {
  const text = 'x'.repeat(2 * 1024 * 1024);
  const event = name === 'responses' ? { type: 'response.completed', response: { output: [{ type: 'message', content: [{ type: 'output_text', text }] }] } } : { text };
  const bytes = Buffer.from(`data: ${JSON.stringify(event)}`);
  for (const cut of [1, 10, 1_000_000]) {
    expect(() => readPieces(REPLY_KINDS[name].newAssembler(TERMS), [bytes.subarray(0, -cut)])).toThrow(expect.objectContaining({ reason: 'cut-off' }));
  }
});
