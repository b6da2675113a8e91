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

/** The text in pieces, by default as sockets give them. */
function inReads(text: string, length = 65_536): readonly string[] {
  return text.match(new RegExp(`.{1,${length}}`, 'gs')) ?? [];
}

/** The events, or the message of the failure. */
function outcomeOf(...pieces: readonly (string | Uint8Array)[]): unknown {
  try {
    return parse(...pieces);
  } catch (failure) {
    return (failure as Error).message;
  }
}

describe('SseParser', () => {
  it.each<[string, string, readonly string[]]>([
    ['one event', 'data: a\n\n', ['a']],
    ['no space after the colon', 'data:a\n\n', ['a']],
    ['several spaces after the colon, of which the first is dropped', 'data:  a\n\n', [' a']],
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
    expect(() => parser.push(Buffer.from(`data: a\n\ndata: b\n\ndata: ${'x'.repeat(2 * MEBIBYTE)}`))).toThrow('too large');
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

  it('shortens or refuses a long event in the same way wherever its bytes are split', () => {
    const tools = fc.constantFrom(1, 300, 600, 1045).map((count) => `"tools":[${`"${'t'.repeat(1000)}",`.repeat(count)}0]`);
    const text = fc.constantFrom(1, 5000, 150_000, 500_000).map((count) => `"text":"${'漢\\"'.repeat(count)}"`);
    const members = fc.array(fc.oneof(tools, text), { minLength: 1, maxLength: 4 });
    const frame = fc.tuple(members, fc.constantFrom(',', ',\ndata: ', ',\n:c\ndata:')).map(([parts, separator]) => `data: {${parts.join(separator)}}\n\n`);
    fc.assert(fc.property(frame, fc.integer({ min: 500, max: 100_000 }), (event, length) => {
      const whole = outcomeOf(event);
      for (const pieces of [inReads(event), inReads(event, 1000), inReads(event, length)]) expect(outcomeOf(...pieces)).toEqual(whole);
    }), { numRuns: 15 });
  });

  it.each([
    ['at once', MEBIBYTE * 4], ['in reads of 64 KiB', 65_536], ['in reads of 1,000 bytes', 1000],
  ])('keeps 600 KB of short strings before or after a string of 450 KB that arrives %s', (_name, length) => {
    const tools = Array.from({ length: 600 }, () => 't'.repeat(1000));
    const instructions = 'x'.repeat(450_000);
    for (const separator of [',', ',\ndata: ']) {
      for (const members of [[`"instructions":"${instructions}"`, `"tools":${JSON.stringify(tools)}`], [`"tools":${JSON.stringify(tools)}`, `"instructions":"${instructions}"`]]) {
        const [event] = parse(...inReads(`data: {${members.join(separator)}}\n\n`, length));
        expect(JSON.parse((event as ShortenedEvent).text)).toEqual({ instructions: '', tools });
      }
    }
  });

  it.each([
    ['data: ', ''], ['data: a\ndata:', 'a\n'], ['data: a\ndata: b\ndata: ', 'a\nb\n'],
  ])('shortens an event that begins with %j only above one megabyte, wherever the bytes are split', (begin, before) => {
    const [long, short] = ['x'.repeat(LONGEST_KEPT_STRING + 1), '"",'.repeat(1000)];
    for (const [over, expected] of [[0, `${before}"${long}",${short}`], [1, new ShortenedEvent(`${before}"",${short}`)]] as const) {
      const padding = '1'.repeat(MEBIBYTE + over - `${before}"${long}",${short}`.length);
      const text = `${begin}"${long}",${short}${padding}\n\n`;
      const event = typeof expected === 'string' ? expected + padding : new ShortenedEvent(expected.text + padding);
      for (let cut = text.length - 8; cut <= text.length; cut += 1) expect(parse(text.slice(0, cut), text.slice(cut))).toEqual([event]);
    }
  });

  it.each([[0, []], [1, 'the upstream sent an event that is too large']])('refuses a line of a field other than data only above one megabyte (excess: %j bytes)', (over, expected) => {
    const text = `database: ${'x'.repeat(MEBIBYTE + over - 10)}\n\n`;
    for (let cut = text.length - 8; cut <= text.length; cut += 1) expect(outcomeOf(text.slice(0, cut), text.slice(cut))).toEqual(expected);
  });

  it.each([
    ['of 5,000 short lines after short and long strings', [`data: [${'"",'.repeat(200_000)}"${'x'.repeat(MEBIBYTE)}",\n`, 'data: 1,\n'.repeat(5000)]],
    ['of a line of short strings after a long one', [`data: ["${'x'.repeat(MEBIBYTE)}",${'"",'.repeat(300_000)}`]],
    ['of short strings of almost a megabyte and a long one', [`data: [${'"",'.repeat(349_000)}"${'x'.repeat(4 * MEBIBYTE)}"]`]],
    ['of a line of long strings', [`data: [${`"${'x'.repeat(MEBIBYTE / 4)}",`.repeat(16)}`]],
  ])('shortens an event %s in linear time', (_name, parts) => {
    const pieces = parts.flatMap((part) => inReads(part, 1000));
    const startedAt = process.cpuUsage();
    expect(parse(...pieces)).toHaveLength(1);
    expect(process.cpuUsage(startedAt).user).toBeLessThan(2_000_000);
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
