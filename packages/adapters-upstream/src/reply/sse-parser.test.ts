import { describe, expect, it } from '@jest/globals';
import * as fc from 'fast-check';
import { LONGEST_KEPT_STRING } from './shorten-strings.js';
import { type SseEvent, ShortenedEvent, SseParser } from './sse-parser.js';

const MEBIBYTE = 1024 * 1024;

function parse(...pieces: readonly (string | Uint8Array)[]): readonly SseEvent[] {
  const events: SseEvent[] = [];
  const parser = new SseParser((event) => events.push(event));
  for (const piece of pieces) parser.push(Buffer.from(piece));
  parser.end();
  return events;
}

/** The text in pieces as sockets give them. */
function inReads(text: string): readonly string[] {
  return text.match(/.{1,65536}/gs) ?? [];
}

describe('SseParser', () => {
  it.each<[string, string, readonly string[]]>([
    ['one event', 'data: a\n\n', ['a']],
    ['no space after the colon', 'data:a\n\n', ['a']],
    ['only one space of several is dropped', 'data:  a\n\n', [' a']],
    ['several data lines', 'data: a\ndata: b\n\n', ['a\nb']],
    ['comments, other fields and blank lines', ': keep-alive\n\n\n\nevent: x\nid: 1\nretry: 5\ndata: a\n\n', ['a']],
    ['a field that only begins like data', 'database: x\n\n', []],
    ['data without a colon', 'data\n\n', ['']],
    ['a byte order mark', '\ufeffdata: a\n\n', ['a']],
    ['CRLF', 'data: a\r\n\r\ndata: b\r\n\r\n', ['a', 'b']],
    ['CR', 'data: a\r\rdata: b\r\r', ['a', 'b']],
    ['mixed line ends', 'data: a\r\n\rdata: b\n\r\n', ['a', 'b']],
    ['an event that the end of the bytes completes', 'data: a\n\ndata: b', ['a', 'b']],
  ])('reads %s', (_name, text, events) => {
    expect(parse(text)).toEqual(events);
  });

  it('reads the same events wherever the bytes are split', () => {
    const payload = fc.string({ unit: fc.constantFrom('a', 'é', '漢', '😀', ' ', ':', '{') });
    fc.assert(fc.property(
      fc.array(payload, { minLength: 1 }), fc.constantFrom('\n', '\r\n', '\r'), fc.infiniteStream(fc.integer({ min: 1, max: 7 })),
      (...[payloads, lineEnd, lengths]) => {
        const bytes = Buffer.from(payloads.map((data) => `: c${lineEnd}data: ${data}${lineEnd}data: more${lineEnd}${lineEnd}`).join(''));
        const pieces: Uint8Array[] = [];
        for (let from = 0; from < bytes.length;) {
          const length = lengths.next().value as number;
          pieces.push(bytes.subarray(from, from + length));
          from += length;
        }
        expect(parse(...pieces)).toEqual(payloads.map((data) => `${data}\nmore`));
      },
    ));
  });

  it('reads the same events whether frames arrive one by one or together, whatever they contain', () => {
    const line = fc.string({ unit: fc.constantFrom('data', ': ', 'é', ' ', '\r', '{}'), maxLength: 6 });
    const frame = fc.tuple(fc.constantFrom('data: ', 'data:', '\ufeffdata: ', ': ', 'data: a\ndata: ', ''), line, fc.constantFrom('\n\n', '\n', '\r\n\r\n', '\r\r', '\n\n\n', '', '\nd'));
    fc.assert(fc.property(fc.array(frame.map((parts) => parts.join(''))), (frames) => {
      expect(parse(...frames)).toEqual(parse(frames.join('')));
    }), { numRuns: 2000 });
  });

  it('refuses an event of more than a megabyte that arrives at once, and reads one of a megabyte', () => {
    const frame = (length: number): string => `data: ${'x'.repeat(length)}\n\n`;
    for (const pieces of [['\n', frame(MEBIBYTE)], ['\n', ...inReads(frame(MEBIBYTE))]]) expect(parse(...pieces)).toEqual(['x'.repeat(MEBIBYTE)]);
    for (const pieces of [['\n', frame(MEBIBYTE + 1)], ['\n', ...inReads(frame(MEBIBYTE + 1))]]) expect(() => parse(...pieces)).toThrow('too large');
  });

  it('emits the events before one that is too large', () => {
    const events: SseEvent[] = [];
    const parser = new SseParser((event) => events.push(event));
    expect(() => parser.push(Buffer.from(`data: a\n\ndata: b\n\ndata: ${'x'.repeat(MEBIBYTE + 1)}`))).toThrow('too large');
    expect(events).toEqual(['a', 'b']);
  });

  it.each([
    ['one line', (json: string) => `data: ${json}\n\n`],
    ['a line for each member', (json: string) => `data: ${json.replaceAll(',"', ',\ndata: "')}\n\n`],
  ])('empties the long strings of an event of more than a megabyte in %s, and keeps those of a smaller event', (_name, framed) => {
    const long = JSON.stringify({ type: 'a', first: 'x'.repeat(3 * MEBIBYTE), second: 'y', third: 'z"\\'.repeat(MEBIBYTE) });
    const kept = JSON.stringify({ type: 'b', first: 'x'.repeat(2 * LONGEST_KEPT_STRING) });
    const text = framed(long) + framed(kept);
    for (const pieces of [[text], inReads(text)]) {
      const [first, second] = parse(...pieces);
      expect(JSON.parse((first as ShortenedEvent).text)).toEqual({ type: 'a', first: '', second: 'y', third: '' });
      expect(first).toBeInstanceOf(ShortenedEvent);
      expect(JSON.parse(second as string)).toEqual(JSON.parse(kept));
    }
  });

  it.each([
    ['a line without an end', 'x'.repeat(4096)],
    ['an event without an end', `data: ${'x'.repeat(4096)}\n`],
  ])('refuses %s above one megabyte', (_name, piece) => {
    const parser = new SseParser(() => undefined);
    const bytes = Buffer.from(piece);
    expect(() => { for (let count = 0; count < 300; count += 1) parser.push(bytes); }).toThrow('too large');
  });
});
