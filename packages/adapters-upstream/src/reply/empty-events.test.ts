import { describe, expect, it } from '@jest/globals';
import type { JsonObject } from '@tollgate/core';
import * as fc from 'fast-check';
import { BlockWriter } from './block-writer.js';
import { StreamedReplyReader } from './streamed-reply-reader.js';
import { arbitraryScriptedReply, readFrames, REPLY_KINDS } from '../test-support/every-kind.js';
import { errorIn, isEmptyData, isEmptyEvent } from './empty-events.js';

const arbitraryBlank = fc.constantFrom('', ' ', '\t');
const arbitraryEmptyError: fc.Arbitrary<unknown> = fc.letrec((tie) => ({
  nothing: fc.oneof(fc.constantFrom(null, false, 0, ''), arbitraryBlank),
  error: fc.oneof(tie('nothing'), fc.array(tie('nothing'), { maxLength: 2 }), fc.dictionary(fc.constantFrom('message', 'code', 'param', 'details'), tie('error'), { maxKeys: 3 })),
}))['error'];

/** Event data without content, as seen from servers and proxies. */
const arbitraryEmptyData = fc.oneof(
  fc.constantFrom('null', ': keep-alive', ': {"a":1}', ':', '[]', '{}', '""', ' ', '\t'),
  fc.string({ unit: fc.constantFrom('a', ' ', ':', '{', '"') }).map((comment) => `:${comment}`),
  arbitraryEmptyError.filter((error) => error !== undefined).map((error) => JSON.stringify({ error })),
  arbitraryEmptyError.map((error) => JSON.stringify({ id: 'x', type: 'error', error, choices: [] })),
  fc.constantFrom<JsonObject>({ object: 'error', message: '', code: null }, { type: 'error', error: { type: 'error', message: '' } }, { type: 'error', code: null, message: '', param: null, sequence_number: 3 })
    .map((event) => JSON.stringify(event)),
);

describe.each(Object.entries(REPLY_KINDS))('a stream of an upstream of kind %s', (_name, kind) => {
  it('is read as if its empty events were absent, and their number is reported', () => {
    fc.assert(fc.property(arbitraryScriptedReply, fc.array(fc.tuple(fc.nat(), arbitraryEmptyData), { maxLength: 6 }), (reply, empty) => {
      const frames = kind.frames(reply);
      const withEmpty = [...frames];
      // The gateway reads no event after the last one.
      for (const [position, data] of empty) withEmpty.splice(position % (withEmpty.length - 1), 0, `data: ${data}\n\n`);
      expect(readFrames(kind, withEmpty)).toEqual(readFrames(kind, frames));
      const writer = new BlockWriter();
      const reader = new StreamedReplyReader(writer, kind.newAssembler({ newToolCallId: () => 'made', localStopSequences: [], modelReasons: false })(writer));
      for (const frame of withEmpty) reader.read(Buffer.from(frame));
      expect(writer.takeOddities()?.emptyEvents ?? 0).toBe(empty.length);
      expect(writer.takeOddities()).toBeNull();
    }));
  });
});

describe('an event', () => {
  it.each(['5', 'true', '"a"', '[1]', '{"a":', 'keep-alive', '{"a":1}'])('that holds %s is not empty', (data) => {
    expect(isEmptyData(data)).toBe(false);
  });

  it.each<JsonObject>([
    { choices: [{ delta: { content: ' ' } }], error: {} }, { choices: [{ delta: { content: '\n' } }] }, { type: 'ping' }, { type: 'message_stop' }, { error: { code: 500 } },
    { error: { type: 'overloaded_error' } }, { error: 'overloaded' }, { error: true }, { object: 'error', code: 400 }, { usage: { prompt_tokens: 0 }, error: {} },
  ])('%j is not empty', (event) => {
    expect(isEmptyEvent(event)).toBe(false);
  });

  it.each<[JsonObject, unknown]>([
    [{ error: null }, null], [{ error: { message: '' } }, null], [{ error: { message: 'no' } }, { message: 'no' }], [{ error: 'no' }, 'no'], [{ error: ['no'] }, ['no']],
    [{ object: 'error', message: 'no' }, { object: 'error', message: 'no' }], [{ object: 'error', error: { code: 5 } }, { code: 5 }], [{ error: { type: 'error' } }, null],
  ])('%j reports the error %j', (event, error) => {
    expect(errorIn(event)).toEqual(error);
  });
});
