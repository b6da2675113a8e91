import { EVENT_MARK, SEQUENCE_LENGTH } from '../upstream/replies.js';

const KEPT = EVENT_MARK.length + SEQUENCE_LENGTH - 1;

/** Finds the numbered events in the bytes of a stream, however they are split, and sees that none is missing or out of order. */
export class EventChecker {
  #tail = '';
  #next = 0;
  #inOrder = true;

  /** How many events arrived. */
  get events(): number {
    return this.#next;
  }

  get inOrder(): boolean {
    return this.#inOrder;
  }

  push(bytes: Buffer): void {
    const text = this.#tail + bytes.toString('latin1', 0, bytes.length);
    let from = 0;
    for (;;) {
      const at = text.indexOf(EVENT_MARK, from);
      const end = at + EVENT_MARK.length + SEQUENCE_LENGTH;
      if (at === -1 || end > text.length) break;
      if (Number(text.slice(at + EVENT_MARK.length, end)) !== this.#next) this.#inOrder = false;
      this.#next += 1;
      from = end;
    }
    this.#tail = text.slice(Math.max(from, text.length - KEPT));
  }
}
