import { StringDecoder } from 'node:string_decoder';
import { UpstreamFailure } from '../upstream/upstream-failure.js';
import { LONGEST_KEPT_STRING, shortenStrings } from './shorten-strings.js';

/** Maximum length of an event that is kept. A longer one, which may repeat a long reply, is kept without its long strings. */
const MAX_EVENT_CHARACTERS = 1024 * 1024;
const DATA_FIELD = 'data: ';
/** Maximum length of an event while a line of it arrives, with the field's name and a string whose end has not arrived. */
const MAX_OPEN_CHARACTERS = MAX_EVENT_CHARACTERS + DATA_FIELD.length + LONGEST_KEPT_STRING + 2;
/** An arriving line is shortened again once it has grown by this length, so that shortening takes linear time. */
const SHORTENING_INTERVAL = 256 * 1024;
const LINE_FEED = 10;
const CARRIAGE_RETURN = 13;
const BYTE_ORDER_MARK = 0xfeff;
const ASCII_CODES = 0x80;

/** A JSON event of more than the maximum length, whose long strings were emptied. */
export class ShortenedEvent {
  constructor(readonly text: string) {}
}

export type SseEvent = string | ShortenedEvent;

export function eventTooLarge(): UpstreamFailure {
  return new UpstreamFailure('malformed-reply', 'the upstream sent an event that is too large');
}

/**
 * Parses server-sent events with LF, CRLF or CR from bytes that are split anywhere. Skips comments and other fields than `data`. Takes linear time,
 * and holds one event at most.
 */
export class SseParser {
  readonly #decoder = new StringDecoder('utf8');
  /** Beginning of the line whose end has not arrived. */
  #line = '';
  /** Length of `#line` when it was last shortened. */
  #shortenedLength = 0;
  /** Data of the current event; `null` if it has none yet. */
  #data: string | null = null;
  /** True if strings of the current event were emptied. */
  #isShortened = false;
  #atStart = true;
  /** True if the last byte was ASCII, and so a complete character. */
  #endedWhole = true;
  #skipLineFeed = false;

  /** `emit` is called for each completed event, in order. */
  constructor(private readonly emit: (event: SseEvent) => void) {}

  /** Throws `UpstreamFailure` if an event is too large even without its long strings. */
  push(bytes: Uint8Array): void {
    const text = this.#decode(Buffer.isBuffer(bytes) ? bytes : Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength));
    const whole = this.#isBetweenEvents() ? onlyEventOf(text) : null;
    if (whole === null) this.#read(text);
    else this.emit(whole);
  }

  /** Emits the events that the end of the stream completes. */
  end(): void {
    this.#read(this.#decoder.end());
    this.#readLine(this.#takeLine());
    this.#readLine('');
  }

  /** True after a complete event. If the line feed of its last CR arrives later, it may be read as an empty line, which has no effect. */
  #isBetweenEvents(): boolean {
    return this.#line === '' && this.#data === null && !this.#atStart;
  }

  /** Decodes bytes; the slower stateful decoder is needed only if a character may be split. */
  #decode(bytes: Buffer): string {
    const last = bytes[bytes.length - 1];
    if (last === undefined) return '';
    const beganWhole = this.#endedWhole;
    this.#endedWhole = last < ASCII_CODES;
    return beganWhole && this.#endedWhole ? bytes.toString('utf8') : this.#decoder.write(bytes);
  }

  #read(text: string): void {
    if (text === '') return;
    const findLineEnd = text.indexOf('\r') >= 0 ? anyLineEnd : lineFeed;
    let from = this.#beginningOf(text);
    for (let end = findLineEnd(text, from); end >= 0; end = findLineEnd(text, from)) {
      this.#readLine(this.#takeLine() + text.slice(from, end));
      from = this.#afterLineEnd(text, end);
    }
    if (from < text.length) this.#line += text.slice(from);
    this.#shortenLine();
  }

  #takeLine(): string {
    const line = this.#line;
    this.#line = '';
    this.#shortenedLength = 0;
    return line;
  }

  /** Position after a line end, whose line feed may follow its carriage return in the next text. */
  #afterLineEnd(text: string, end: number): number {
    const next = end + 1;
    if (text.charCodeAt(end) === LINE_FEED) return next;
    this.#skipLineFeed = next === text.length;
    return text.charCodeAt(next) === LINE_FEED ? next + 1 : next;
  }

  /** Position after a byte order mark, or after a line feed that belongs to the previous text. */
  #beginningOf(text: string): number {
    let from = 0;
    if (this.#atStart && text.charCodeAt(0) === BYTE_ORDER_MARK) from = 1;
    if (this.#skipLineFeed && text.charCodeAt(0) === LINE_FEED) from = 1;
    this.#atStart = false;
    this.#skipLineFeed = false;
    return from;
  }

  #readLine(line: string): void {
    if (line === '') {
      this.#endEvent();
      return;
    }
    const value = valueOf(line);
    if (value !== null) this.#addData(value);
    else if (line.length > MAX_EVENT_CHARACTERS) throw eventTooLarge();
  }

  #addData(value: string): void {
    if (this.#dataLength + value.length > MAX_EVENT_CHARACTERS) this.#shortenData();
    // A JSON string is in one line.
    const kept = this.#isShortened ? shortenStrings(value) : value;
    this.#data = this.#data === null ? kept : `${this.#data}\n${kept}`;
    if (this.#data.length > MAX_EVENT_CHARACTERS) throw eventTooLarge();
  }

  #endEvent(): void {
    const data = this.#data;
    const isShortened = this.#isShortened;
    this.#data = null;
    this.#isShortened = false;
    if (data !== null) this.emit(isShortened ? new ShortenedEvent(data) : data);
  }

  /** Length of the data, with the line feed before the next line's. */
  get #dataLength(): number {
    return this.#data === null ? 0 : this.#data.length + 1;
  }

  /** Shortens a line whose end has not arrived. An event is refused here only if it is refused wherever its bytes are split. */
  #shortenLine(): void {
    const isDue = this.#line.length >= this.#shortenedLength + SHORTENING_INTERVAL;
    if (!isDue || this.#dataLength + this.#line.length <= MAX_EVENT_CHARACTERS + DATA_FIELD.length) return;
    if (valueOf(this.#line) !== null) {
      this.#shortenData();
      this.#line = shortenStrings(this.#line);
      if (this.#dataLength + this.#line.length > MAX_OPEN_CHARACTERS) throw eventTooLarge();
    } else if (this.#line.length > MAX_EVENT_CHARACTERS) throw eventTooLarge();
    this.#shortenedLength = this.#line.length;
  }

  #shortenData(): void {
    if (!this.#isShortened && this.#data !== null) this.#data = shortenStrings(this.#data);
    this.#isShortened = true;
  }
}

/** Fast path for a text with exactly one event of one line, the usual case; otherwise `null`. */
function onlyEventOf(text: string): string | null {
  const from = DATA_FIELD.length;
  const end = text.length - 2;
  if (end < from || end > MAX_EVENT_CHARACTERS || text.slice(0, from) !== DATA_FIELD) return null;
  const isOneLine = text.indexOf('\n', from) === end && text.charCodeAt(end + 1) === LINE_FEED && text.indexOf('\r', from) < 0;
  return isOneLine ? text.slice(from, end) : null;
}

function lineFeed(text: string, from: number): number {
  return text.indexOf('\n', from);
}

/** Position of the next line end, LF or CR. One scan instead of two searches through the rest of the text. */
function anyLineEnd(text: string, from: number): number {
  for (let position = from; position < text.length; position += 1) {
    const code = text.charCodeAt(position);
    if (code === LINE_FEED || code === CARRIAGE_RETURN) return position;
  }
  return -1;
}

/** The value of a `data` line; `null` for another field. */
function valueOf(line: string): string | null {
  if (!line.startsWith('data')) return null;
  if (line.length === 4) return '';
  if (line[4] !== ':') return null;
  return line.slice(line[5] === ' ' ? 6 : 5);
}
