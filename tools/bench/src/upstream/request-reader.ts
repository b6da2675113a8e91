const END_OF_HEAD = Buffer.from('\r\n\r\n');
const CONTENT_LENGTH = /\r\ncontent-length: *(\d+)/i;
const CHUNKED = /\r\ntransfer-encoding: *chunked/i;
const END_OF_CHUNKED_BODY = Buffer.from('0\r\n\r\n');

/** How much of a body is looked at; the model's name stands at its beginning. */
const BEGINNING_BYTES = 512;

/**
 * Reads requests of well-behaved clients on one connection, as cheaply as can be: of a body, only the beginning is kept.
 * It knows no trailers, no pipelining and no chunk that ends like a body, which suffices for the bench's own requests.
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
