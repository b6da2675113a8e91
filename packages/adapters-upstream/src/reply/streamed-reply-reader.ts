import { isEmptyData, isEmptyEvent } from './empty-events.js';
import { EventParser } from './event-parser.js';
import { parseObject } from './json-values.js';
import { malformedReply } from './malformed-reply.js';
import { ReplyReader } from './reply-reader.js';
import { eventTooLarge, type SseEvent, SseParser } from './sse-parser.js';

/** Data that ends the streams of chat servers; other servers may send it too. */
const LAST_EVENT = '[DONE]';

export class StreamedReplyReader extends ReplyReader {
  readonly #parser = new SseParser((event) => this.#readEvent(event));
  readonly #objects = new EventParser(parseObject);
  /** True while events are read that only the end of the stream completes: one that was cut is dropped. */
  #isAtEnd = false;

  override read(bytes: Uint8Array): void {
    this.#parser.push(bytes);
  }

  override end(): void {
    // After a stop sequence ended the text, an incomplete event has no meaning.
    this.#isAtEnd = true;
    if (this.assembler.state !== 'stopping') this.#parser.end();
    this.assembler.end();
  }

  #readEvent(event: SseEvent): void {
    if (event === '' || this.assembler.state === 'complete') return;
    if (typeof event !== 'string') {
      this.#readShortened(event.text);
      return;
    }
    if (event.trim() === LAST_EVENT) {
      this.assembler.end();
      return;
    }
    const object = this.#objects.parse(event);
    if (object === null ? isEmptyData(event) : isEmptyEvent(object)) this.writer.skipEmptyEvent();
    else if (object !== null) this.assembler.read(object);
    else if (!this.#isAtEnd) throw malformedReply('an event that is not a JSON object', event);
  }

  #readShortened(text: string): void {
    const object = parseObject(text);
    if (object === null && this.#isAtEnd) return;
    if (object === null || this.assembler.repeats?.(object) !== true) throw eventTooLarge();
    // It is read all the same: the end and the usage that it states may come in no other event.
    this.assembler.read(object);
  }
}
