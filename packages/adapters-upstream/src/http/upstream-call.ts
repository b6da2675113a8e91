import type { CancelSignal, Clock, UpstreamTimeouts } from '@tollgate/core';
import type { Dispatcher, Pool } from 'undici';
import { failureBeforeReply, UpstreamFailure } from '../upstream/upstream-failure.js';
import { type ReplyHead, type ReplyHeaders, readHead } from './reply-head.js';
import { ReplyPace } from './reply-pace.js';
import type { RequestBody } from './request-body.js';
import { TimeLimits } from './time-limits.js';

export interface UpstreamRequest {
  readonly method: 'GET' | 'POST';
  readonly path: string;
  /** Headers as alternating names and values. */
  readonly headers: string[];
  readonly body: RequestBody | null;
}

export interface CallLimits {
  readonly timeouts: UpstreamTimeouts;
  readonly maxResponseBytes: number;
}

interface Waiting<T> {
  resolve(value: T): void;
  reject(failure: UpstreamFailure): void;
}

/** Above this many unread bytes, the call stops reading from the socket. */
const HIGH_WATER_BYTES = 256 * 1024;
/** Maximum time for which a released call waits for its reply to end, so that the connection can be reused. */
const FAREWELL_MILLISECONDS = 1_000;

/**
 * One request and its reply, read by pull, with timeouts and bounded buffering. `cancel` closes the socket. The caller reads to the end,
 * releases or cancels. undici calls the methods that begin with `on`.
 */
export class UpstreamCall implements Dispatcher.DispatchHandler {
  readonly #time: TimeLimits;
  #controller: Dispatcher.DispatchController | null = null;
  #head: ReplyHead | null = null;
  #unread: Uint8Array[] = [];
  #unreadBytes = 0;
  #receivedBytes = 0;
  #over = false;
  #released = false;
  #failure: UpstreamFailure | null = null;
  #headWaiting: Waiting<ReplyHead> | null = null;
  #readWaiting: Waiting<void> | null = null;
  readonly #pace: ReplyPace;
  /** True from waking a waiting read until the read continues. */
  #woken = false;
  #stopListening: (() => void) | null = null;
  /** True once `endWithin` set a deadline. */
  #isEnding = false;
  #stopWaiting: (() => void) | null = null;

  /** `ended` is called once, when the reply is over and its connection is free or closed. */
  constructor(private readonly clock: Clock, private readonly limits: CallLimits, private readonly ended?: () => void) {
    const { connectMilliseconds, wholeMilliseconds } = limits.timeouts;
    this.#pace = new ReplyPace(clock, limits.timeouts);
    this.#time = new TimeLimits(clock, {
      milliseconds: wholeMilliseconds,
      expired: () => this.#breakOff(new UpstreamFailure('too-long-running', 'the upstream exceeded the maximum duration of a generation')),
    });
    this.#time.start(connectMilliseconds, () => this.#notConnected());
  }

  /** Resolves with the head; throws `UpstreamFailure`. */
  send(pool: Pool, request: UpstreamRequest): Promise<ReplyHead> {
    return new Promise((resolve, reject) => {
      this.#headWaiting = { resolve, reject };
      // undici accepts any iterable of bytes, which its types do not say.
      const body = request.body as Uint8Array | null;
      if (this.#failure === null) pool.dispatch({ ...request, body, headersTimeout: 0, bodyTimeout: 0 }, this);
      else this.#fail(this.#failure);
    });
  }

  /** Cancels when the signal is aborted. */
  follow(signal: CancelSignal): void {
    if (this.#over) return;
    const abort = (): void => this.cancel(signal.reason);
    if (signal.aborted) abort();
    signal.addEventListener('abort', abort);
    // Assigned to a variable first: a function literal that is assigned directly to a property is allocated in V8's old generation, where it retains
    // everything it references until a full garbage collection.
    const stopListening = (): void => signal.removeEventListener('abort', abort);
    this.#stopListening = stopListening;
  }

  /** Everything received since the last read; waits for data if there is none. `null` at the end. One read at a time; throws `UpstreamFailure`. */
  async read(): Promise<readonly Uint8Array[] | null> {
    await this.arrival();
    return this.take();
  }

  /**
   * Resolves when `take` has something to return or the reply is over. One at a time; throws `UpstreamFailure`. One socket read may contain
   * several chunks, which `take` returns together.
   */
  arrival(): Promise<void> {
    if (this.#unread.length > 0) return Promise.resolve();
    if (this.#failure !== null) return Promise.reject(this.#failure);
    if (this.#over) return Promise.resolve();
    this.#pace.waitBegins();
    return new Promise((resolve, reject) => {
      this.#readWaiting = { resolve, reject };
    });
  }

  /** Everything received since the last call; `null` at the end of the reply. */
  take(): readonly Uint8Array[] | null {
    const isAtEnd = this.#over && this.#failure === null && this.#unread.length === 0;
    return isAtEnd ? null : this.#takeUnread();
  }

  /** Reports output bytes found in the reply, without comments, empty events and framing. */
  produced(bytes: number): void {
    this.#pace.produced(bytes);
  }

  /** Closes the socket. A waiting read fails; a read that was already woken still gets its data. */
  cancel(cause?: unknown): void {
    if (!this.#woken) this.#unread = [];
    this.#breakOff(new UpstreamFailure('cancelled', 'the call was cancelled', cause));
  }

  /** Stops reading. The connection can be reused if the reply ends within a second. */
  release(): void {
    if (this.#over) return;
    this.#released = true;
    this.#takeUnread();
    this.#time.start(FAREWELL_MILLISECONDS, () => this.cancel());
  }

  /** Bounds the time for the rest of the reply, whatever arrives. Only the first call counts. */
  endWithin(milliseconds: number): void {
    if (this.#over || this.#isEnding) return;
    this.#isEnding = true;
    this.#stopWaiting = this.clock.schedule(milliseconds, () => this.#breakOff(new UpstreamFailure('too-long-running', 'the upstream did not finish its reply in time')));
  }

  onRequestStart(controller: Dispatcher.DispatchController): void {
    this.#controller = controller;
    if (this.#failure !== null) {
      controller.abort(this.#failure);
      return;
    }
    this.#time.start(this.limits.timeouts.firstByteMilliseconds, () => this.#timeOut('the upstream did not begin its reply in time'));
  }

  onResponseStart(_controller: Dispatcher.DispatchController, status: number, headers: ReplyHeaders): void {
    if (status < 200 || this.#over) return;
    this.#head = readHead(status, headers, this.clock.now());
    this.#checkSilence();
    this.#headWaiting?.resolve(this.#head);
    this.#headWaiting = null;
  }

  onResponseData(_controller: Dispatcher.DispatchController, chunk: Uint8Array): void {
    if (this.#over || this.#released) return;
    this.#receivedBytes += chunk.length;
    if (this.#receivedBytes > this.limits.maxResponseBytes) {
      this.#breakOff(new UpstreamFailure('malformed-reply', 'the reply of the upstream is too large'));
      return;
    }
    this.#unread.push(chunk);
    this.#unreadBytes += chunk.length;
    this.#wake();
    if (this.#unreadBytes > HIGH_WATER_BYTES) this.#controller?.pause();
  }

  onResponseEnd(): void {
    if (this.#over) return;
    this.#finish();
    this.#wake();
  }

  onResponseError(_controller: Dispatcher.DispatchController | null, error: Error): void {
    if (this.#over) return;
    this.#fail(this.#head === null ? failureBeforeReply(error, this.#controller !== null) : new UpstreamFailure('cut-off', 'the connection broke in the middle of the reply', error));
  }

  #wake(): void {
    if (this.#readWaiting === null) return;
    this.#pace.waitEnds();
    this.#readWaiting.resolve();
    this.#readWaiting = null;
    this.#woken = true;
  }

  #takeUnread(): readonly Uint8Array[] {
    const taken = this.#unread;
    this.#woken = false;
    this.#unread = [];
    this.#unreadBytes = 0;
    if (this.#controller?.paused === true) this.#controller.resume();
    return taken;
  }

  #checkSilence(): void {
    const verdict = this.#pace.verdict();
    if (typeof verdict === 'string') this.#timeOut(verdict);
    else this.#time.start(verdict, () => this.#checkSilence());
  }

  #notConnected(): void {
    this.#breakOff(new UpstreamFailure('connect-failed', 'timed out while connecting to the upstream'));
  }

  #timeOut(message: string): void {
    this.#breakOff(new UpstreamFailure('timed-out', message));
  }

  #breakOff(failure: UpstreamFailure): void {
    if (this.#over) return;
    this.#fail(failure);
    this.#controller?.abort(failure);
  }

  #fail(failure: UpstreamFailure): void {
    this.#failure = failure;
    this.#finish();
    this.#headWaiting?.reject(failure);
    this.#headWaiting = null;
    this.#readWaiting?.reject(failure);
    this.#readWaiting = null;
  }

  #finish(): void {
    if (!this.#over) this.ended?.();
    this.#over = true;
    this.#time.stop();
    this.#stopListening?.();
    this.#stopWaiting?.();
  }
}
