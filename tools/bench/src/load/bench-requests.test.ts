import { describe, expect, it } from '@jest/globals';
import { EVENT_MARK, STREAM_OPENING, streamClosing, streamEvent } from '../upstream/replies.js';
import { EventChecker } from './bench-requests.js';

function check(...pieces: readonly Buffer[]): { readonly events: number; readonly inOrder: boolean } {
  const checker = new EventChecker(EVENT_MARK);
  for (const piece of pieces) checker.push(piece);
  return { events: checker.events, inOrder: checker.inOrder };
}

describe('the checker of events', () => {
  const stream = Buffer.concat([STREAM_OPENING, ...[0, 1, 2, 3].map(streamEvent), streamClosing(4)]);

  it('counts the upstream’s events, wherever their bytes are split', () => {
    expect(check(stream)).toEqual({ events: 4, inOrder: true });
    for (let cut = 1; cut < stream.length; cut += 1) expect(check(stream.subarray(0, cut), stream.subarray(cut))).toEqual({ events: 4, inOrder: true });
    expect(check(...Array.from(stream, (byte) => Buffer.from([byte])))).toEqual({ events: 4, inOrder: true });
  });

  it.each<[string, readonly number[]]>([
    ['lost', [0, 2]], ['out of order', [0, 2, 1]], ['sent twice', [0, 0, 1]], ['missing at the beginning', [1, 2]],
  ])('detects an event that is %s', (_case, sequence) => {
    expect(check(...sequence.map(streamEvent)).inOrder).toBe(false);
  });
});
