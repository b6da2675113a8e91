import { describe, expect, it } from '@jest/globals';
import { ReplyReader } from './connection.js';

const FIXED = 'HTTP/1.1 200 OK\r\ncontent-length: 5\r\n\r\nhello';
const EMPTY = 'HTTP/1.1 204 No Content\r\ncontent-length: 0\r\n\r\n';
const CHUNKED = 'HTTP/1.1 429 Too Many Requests\r\nTransfer-Encoding: chunked\r\n\r\n3\r\nabc\r\nA\r\n0123456789\r\n0\r\n\r\n';

interface Heard {
  readonly status: number;
  body: string;
  ended: boolean;
}

function read(pieces: readonly Buffer[]): readonly Heard[] {
  const heard: Heard[] = [];
  const last = (): Heard => heard.at(-1) ?? { status: 0, body: '', ended: false };
  const reader = new ReplyReader({
    onHead: (status) => heard.push({ status, body: '', ended: false }),
    onBody: (bytes) => {
      last().body += bytes.toString('latin1');
    },
    onEnd: () => {
      last().ended = true;
    },
  });
  for (const piece of pieces) reader.push(piece);
  return heard;
}

const bytes = Buffer.from(FIXED + EMPTY + CHUNKED + FIXED);
const whole: readonly Heard[] = [
  { status: 200, body: 'hello', ended: true }, { status: 204, body: '', ended: true },
  { status: 429, body: 'abc0123456789', ended: true }, { status: 200, body: 'hello', ended: true },
];

describe('the reader of replies', () => {
  it('reads successive replies, with a Content-Length or in chunks', () => {
    expect(read([bytes])).toEqual(whole);
  });

  it('reads the same replies wherever their bytes are split', () => {
    for (let cut = 1; cut < bytes.length; cut += 1) expect(read([bytes.subarray(0, cut), bytes.subarray(cut)])).toEqual(whole);
    expect(read(Array.from(bytes, (byte) => Buffer.from([byte])))).toEqual(whole);
  });

  it('does not report an incomplete reply as ended', () => {
    expect(read([Buffer.from(CHUNKED.slice(0, -2))])).toEqual([{ status: 429, body: 'abc0123456789', ended: false }]);
  });
});
