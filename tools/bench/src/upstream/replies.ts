const SYSTEM_FINGERPRINT = 'fp_bench';
const CREATED = 1_700_000_000;
const STREAM_HEAD = 'HTTP/1.1 200 OK\r\ncontent-type: text/event-stream\r\ntransfer-encoding: chunked\r\n\r\n';
const LAST_CHUNK = '0\r\n\r\n';
const SEQUENCE_DIGITS = 6;

/** Text directly before the number of an event, in the upstream's stream and in that of every gateway. */
export const EVENT_MARK = '"content":" t';
/** Text directly before the number of an event in the responses format. */
export const RESPONSES_EVENT_MARK = '"delta":" t';

function sequenceText(sequence: number): string {
  return String(sequence).padStart(SEQUENCE_DIGITS, '0');
}

export const SEQUENCE_LENGTH = SEQUENCE_DIGITS;

const USAGE = { prompt_tokens: 50, completion_tokens: 30, total_tokens: 80, prompt_tokens_details: { cached_tokens: 0 } };

function wholeReply(): Buffer {
  const body = JSON.stringify({
    id: 'chatcmpl-bench', object: 'chat.completion', created: CREATED, model: 'bench',
    choices: [{
      index: 0,
      message: { role: 'assistant', content: 'A short answer of about thirty tokens, as many as a model writes in half a second when it is asked for a sentence.' },
      logprobs: null,
      finish_reason: 'stop',
    }],
    usage: USAGE,
    system_fingerprint: SYSTEM_FINGERPRINT,
  });
  return Buffer.from(`HTTP/1.1 200 OK\r\ncontent-type: application/json\r\ncontent-length: ${Buffer.byteLength(body)}\r\n\r\n${body}`);
}

/** Bytes of a whole reply, with status line and headers. */
export const WHOLE_REPLY = wholeReply();

function event(data: string): string {
  const text = `data: ${data}\n\n`;
  return `${text.length.toString(16)}\r\n${text}\r\n`;
}

function chunk(parts: { readonly delta: object; readonly finish?: string }): string {
  return event(JSON.stringify({
    id: 'chatcmpl-bench', object: 'chat.completion.chunk', created: CREATED, model: 'bench', system_fingerprint: SYSTEM_FINGERPRINT,
    choices: [{ index: 0, delta: parts.delta, logprobs: null, finish_reason: parts.finish ?? null }],
  }));
}

/** Bytes that begin a stream: the head, and a first event with the role. */
export const STREAM_OPENING = Buffer.from(STREAM_HEAD + chunk({ delta: { role: 'assistant', content: '' } }));

export function streamEvent(sequence: number): Buffer {
  return Buffer.from(chunk({ delta: { content: ` t${sequenceText(sequence)}` } }));
}

/** Bytes that end a stream: finish reason, usage and `[DONE]`. */
export function streamClosing(events: number): Buffer {
  const usage = { ...USAGE, completion_tokens: events, total_tokens: USAGE.prompt_tokens + events };
  const report = event(JSON.stringify({
    id: 'chatcmpl-bench', object: 'chat.completion.chunk', created: CREATED, model: 'bench', system_fingerprint: SYSTEM_FINGERPRINT, choices: [], usage,
  }));
  return Buffer.from(chunk({ delta: {}, finish: 'stop' }) + report + event('[DONE]') + LAST_CHUNK);
}

/** The reply that the name of a model selects. */
type ReplyPlan =
  | { readonly kind: 'whole' }
  | { readonly kind: 'stream'; readonly events: number; readonly intervalMilliseconds: number };

export const WHOLE_MODEL = 'bench-whole';

/** Name of a model that streams this many events at this interval. */
export function streamingModel(events: number, intervalMilliseconds: number): string {
  return `bench-stream-${events}-${intervalMilliseconds}`;
}

const MODEL = /"model"\s*:\s*"bench-(?:whole|stream-(\d+)-(\d+))"/;

/** The reply for the model named at the beginning of a body; without a known name, a whole reply. */
export function planFor(beginningOfBody: string): ReplyPlan {
  const match = MODEL.exec(beginningOfBody);
  if (match?.[1] === undefined || match[2] === undefined) return { kind: 'whole' };
  return { kind: 'stream', events: Number(match[1]), intervalMilliseconds: Number(match[2]) };
}

const END_OF_HEAD = Buffer.from('\r\n\r\n');
const CONTENT_LENGTH = /\r\ncontent-length: *(\d+)/i;
const CHUNKED = /\r\ntransfer-encoding: *chunked/i;
const END_OF_CHUNKED_BODY = Buffer.from('0\r\n\r\n');

/** Number of bytes that must contain the model's name. */
const BEGINNING_BYTES = 512;

/**
 * A fast HTTP/1.1 reader for the bench's own requests, which have no trailers, are not pipelined, and have no chunk that looks like the end of a
 * body. Keeps only the beginning of a body.
 */
export class RequestReader {
  #head: Buffer | null = null;
  #left = 0;
  #chunked = false;
  #beginning = '';

  constructor(private readonly onRequest: (beginningOfBody: string) => void) {}

  push(bytes: Buffer): void {
    if (this.#left > 0 || this.#chunked) {
      this.#takeBody(bytes);
      return;
    }
    const all = this.#head === null ? bytes : Buffer.concat([this.#head, bytes]);
    const end = all.indexOf(END_OF_HEAD);
    if (end === -1) {
      this.#head = all;
      return;
    }
    this.#head = null;
    this.#begin(all.toString('latin1', 0, end));
    this.#takeBody(all.subarray(end + END_OF_HEAD.length));
  }

  #begin(head: string): void {
    this.#beginning = '';
    this.#chunked = CHUNKED.test(head);
    this.#left = Number(CONTENT_LENGTH.exec(head)?.[1] ?? 0);
  }

  #takeBody(bytes: Buffer): void {
    if (this.#beginning.length < BEGINNING_BYTES) this.#beginning += bytes.toString('latin1', 0, BEGINNING_BYTES);
    if (this.#chunked) this.#chunked = !bytes.subarray(-END_OF_CHUNKED_BODY.length).equals(END_OF_CHUNKED_BODY);
    else this.#left -= bytes.length;
    if (this.#left <= 0 && !this.#chunked) this.#finish();
  }

  #finish(): void {
    this.#left = 0;
    this.onRequest(this.#beginning);
  }
}
