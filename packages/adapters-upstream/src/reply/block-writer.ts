import { type BlockOpening, invariant, type ProviderEvent, type ReportedUsage, type SignatureForm, type StopReason } from '@tollgate/core';
import { type Finish, stopReasonOf } from './finish-words.js';

/** Irregularities of a served reply. */
export interface ReplyOddities {
  /** Number of skipped events without content. */
  readonly emptyEvents: number;
  /** The upstream's finish reason if the gateway does not know it, otherwise `null`. */
  readonly unknownFinishWord: string | null;
}

/** Writes events of the canonical grammar: one open block, consecutive indices, no empty deltas. */
export class BlockWriter {
  #events: ProviderEvent[] = [];
  #nextIndex = 0;
  #open: BlockOpening['type'] | 'refusal' | null = null;
  #outputBytes = 0;
  /** Usage that waits for output, because no batch consists of usage alone. */
  #waitingReport: ReportedUsage | null = null;
  #emptyEvents = 0;
  #unknownFinishWord: string | null = null;

  /** `clientNames` maps the sent names of renamed tools to the client's names. */
  constructor(private readonly clientNames: ReadonlyMap<string, string> = new Map()) {}

  /** The events since the last call. */
  take(): readonly ProviderEvent[] {
    const events = this.#events;
    this.#events = [];
    return events;
  }

  /** Bytes of output since the last call, including held text. */
  takeOutputBytes(): number {
    const bytes = this.#outputBytes;
    this.#outputBytes = 0;
    return bytes;
  }

  /** Irregularities since the last call; `null` if there were none. */
  takeOddities(): ReplyOddities | null {
    if (this.#emptyEvents === 0 && this.#unknownFinishWord === null) return null;
    const oddities = { emptyEvents: this.#emptyEvents, unknownFinishWord: this.#unknownFinishWord };
    this.#emptyEvents = 0;
    this.#unknownFinishWord = null;
    return oddities;
  }

  skipEmptyEvent(): void {
    this.#emptyEvents += 1;
  }

  /** Counts output that was written or is held. */
  count(output: string): void {
    this.#outputBytes += Buffer.byteLength(output);
  }

  /**
   * Writes the usage so far of a generation that continues. If no event is waiting, the usage waits for the next one; before the first block, it is
   * dropped.
   */
  report(usage: ReportedUsage): void {
    if (this.#events.length > 0) this.#events.push({ type: 'provider-report', usage });
    else if (this.#open !== null || this.#nextIndex > 0) this.#waitingReport = usage;
  }

  #add(event: ProviderEvent): void {
    const report = this.#waitingReport;
    this.#waitingReport = null;
    if (report !== null && event.type !== 'provider-end') this.#add({ type: 'provider-report', usage: report });
    // A new array, not `push`: V8 allocates spare capacity when an array grows.
    if (this.#events.length === 0) this.#events = [event];
    else this.#events.push(event);
  }

  /** Opens a block, after closing the open one. */
  open(block: BlockOpening): void {
    this.close();
    this.#open = block.type === 'text' && block.isRefusal === true ? 'refusal' : block.type;
    if (block.type === 'tool-call') this.count(block.name);
    this.#add({ type: 'block-start', index: this.#nextIndex, block: block.type === 'tool-call' ? { ...block, name: this.clientNames.get(block.name) ?? block.name } : block });
  }

  /** Continues the open block of this type, or opens one. */
  append(type: 'thinking' | 'text' | 'refusal', delta: string): void {
    if (delta === '') return;
    if (this.#open !== type) this.open(type === 'refusal' ? { type: 'text', isRefusal: true } : { type });
    this.count(delta);
    this.#add({ type: 'block-delta', index: this.#nextIndex, delta });
  }

  write(delta: string): void {
    if (delta === '') return;
    invariant(this.#open !== null, 'a delta belongs to an open block');
    this.count(delta);
    this.#add({ type: 'block-delta', index: this.#nextIndex, delta });
  }

  close(): void {
    this.#close(null, 'signature');
  }

  /** Closes the open block with its signature; opens a thinking block first if none is open, since redacted thinking has no text. */
  closeThinking(signature: string | null, form: SignatureForm = 'signature'): void {
    if (signature !== null && this.#open !== 'thinking') this.open({ type: 'thinking' });
    this.#close(signature, form);
  }

  #close(signature: string | null, form: SignatureForm): void {
    if (this.#open === null) return;
    if (signature !== null) this.count(signature);
    this.#add({ type: 'block-end', index: this.#nextIndex, signature, ...(form === 'signature' ? {} : { form }) });
    this.#open = null;
    this.#nextIndex += 1;
  }

  finish(finish: Finish, toolCallCount: number, usage: ReportedUsage | null): void {
    this.#unknownFinishWord = finish.unknownWord;
    this.end(stopReasonOf(finish, toolCallCount), usage);
  }

  end(stopReason: StopReason, usage: ReportedUsage | null): void {
    this.close();
    this.#add({ type: 'provider-end', stopReason, usage });
  }
}
