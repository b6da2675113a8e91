import { isEmptyData, isEmptyEvent } from './empty-events.js';
import { EventParser } from './event-parser.js';
import { parseObject } from './json-values.js';
import { malformedReply } from './malformed-reply.js';
import { ReplyReader } from './reply-reader.js';
import { SseParser } from './sse-parser.js';

/** Data that ends the streams of chat servers; other servers may send it too. */
const LAST_EVENT = '[DONE]';

export class StreamedReplyReader extends ReplyReader {
  readonly #parser = new SseParser();
  readonly #objects = new EventParser(parseObject);

  override read(bytes: Uint8Array): void {
    for (const event of this.#parser.push(bytes)) this.#readEvent(event);
  }

  override end(): void {
    // After a stop sequence ended the text, an incomplete event has no meaning.
    if (this.assembler.state !== 'stopping') for (const event of this.#parser.end()) this.#readEvent(event, false);
    this.assembler.end();
  }

  /** @param isWhole false for an event that only the end of the stream completed: it is dropped if the stream was cut within it. */
  #readEvent(event: string, isWhole = true): void {
    if (event === '' || this.assembler.state === 'complete') return;
    if (event.trim() === LAST_EVENT) {
      this.assembler.end();
      return;
    }
    const object = this.#objects.parse(event);
    if (object === null ? isEmptyData(event) : isEmptyEvent(object)) this.writer.skipEmptyEvent();
    else if (object !== null) this.assembler.read(object);
    else if (isWhole) throw malformedReply('an event that is not a JSON object', event);
  }
}
