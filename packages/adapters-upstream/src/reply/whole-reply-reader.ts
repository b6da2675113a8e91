import { parseExactly } from '@tollgate/json-text';
import { parseObject } from './json-values.js';
import { malformedReply } from './malformed-reply.js';
import { ReplyReader } from './reply-reader.js';
import { textOfBytes } from './text-of-bytes.js';

/** Fields of whole replies in which tool arguments are objects. */
const ARGUMENT_FIELDS: ReadonlySet<string> = new Set(['input', 'arguments']);

export class WholeReplyReader extends ReplyReader {
  readonly #pieces: Uint8Array[] = [];

  override read(bytes: Uint8Array): void {
    this.#pieces.push(bytes);
  }

  override end(): void {
    const text = textOfBytes(this.#pieces);
    const reply = parseObject(text, (json) => parseExactly(json, ARGUMENT_FIELDS));
    if (reply === null) throw malformedReply('a reply that is not a JSON object', text);
    this.assembler.read(reply);
    this.assembler.end();
  }
}
