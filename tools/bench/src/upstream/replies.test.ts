import { describe, expect, it } from '@jest/globals';
import { smallBody, streamedBody } from '../load/requests.js';
import { planFor, RequestReader, streamingModel, WHOLE_MODEL } from './replies.js';

describe('the plan of a reply', () => {
  it('is read from the model name at the beginning of the request', () => {
    expect(planFor(smallBody(WHOLE_MODEL).requests[0] ?? '')).toEqual({ kind: 'whole' });
    expect(planFor(streamedBody(streamingModel(200, 10)).requests[0] ?? '')).toEqual({ kind: 'stream', events: 200, intervalMilliseconds: 10 });
    expect(planFor('{"messages":[]}')).toEqual({ kind: 'whole' });
  });
});

describe('the reader of requests', () => {
  const withLength = 'POST / HTTP/1.1\r\nContent-Length: 18\r\n\r\n{"model":"bench-a"';
  const chunked = 'POST / HTTP/1.1\r\ntransfer-encoding: chunked\r\n\r\n12\r\n{"model":"bench-b"\r\n0\r\n\r\n';

  function read(pieces: readonly Buffer[]): readonly string[] {
    const found: string[] = [];
    const reader = new RequestReader((beginning) => found.push(/"model":"(.+?)"/.exec(beginning)?.[1] ?? ''));
    for (const piece of pieces) reader.push(piece);
    return found;
  }

  it('reports a request when its whole body has arrived, wherever the bytes are split', () => {
    const bytes = Buffer.from(withLength);
    for (let cut = 1; cut < bytes.length; cut += 1) expect(read([bytes.subarray(0, cut), bytes.subarray(cut)])).toEqual(['bench-a']);
    expect(read([bytes.subarray(0, -1)])).toEqual([]);
  });

  it('reads successive requests, with a Content-Length or in chunks', () => {
    expect(read([Buffer.from(withLength), Buffer.from(chunked), Buffer.from(withLength)])).toEqual(['bench-a', 'bench-b', 'bench-a']);
  });
});
