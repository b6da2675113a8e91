import { type CancelSignal, GatewayError, type Instant } from '@tollgate/core';
import type { HolderState } from './body-holders.js';
import { NO_ROOM, type Room, roomOfBody } from './body-room.js';

/** The part of `BodyBudget` that rooms call. */
export interface RoomGiver {
  grow(upload: BodyUpload): Promise<void> | null;
  finish(upload: BodyUpload): void;
  giveBack(room: BodyRoom): void;
}

export interface WaitingRequest {
  readonly room: BodyRoom;
  readonly wanted: Room;
  readonly grant: () => void;
  readonly refuse: (error: GatewayError) => void;
}

/** An upload that was cut off to make room; answered with status 408. */
export class CutUpload extends GatewayError {
  constructor() {
    const message = 'The upload of the request body took more than five seconds, and the service needed its room for other requests. Please try again.';
    super('invalid_request', message, { retryAfterSeconds: 1 });
  }
}

/** Room of a body, held until it is returned. */
export class BodyRoom {
  held = NO_ROOM;
  waiting: WaitingRequest | null = null;

  constructor(protected readonly giver: RoomGiver, readonly holder: HolderState, readonly signal: CancelSignal) {}

  /** Repeated calls do nothing. */
  giveBack(): void {
    this.giver.giveBack(this);
  }
}

interface UploadFacts {
  readonly holder: HolderState;
  /** Aborted on disconnect. */
  readonly signal: CancelSignal;
  /** `null` without `content-length`. */
  readonly declaredBytes: number | null;
  readonly startedAt: Instant;
}

/** Room that grows with the received bytes. */
export class BodyUpload extends BodyRoom {
  readonly startedAt: Instant;
  readonly #declaredBytes: number | null;
  #arrivedBytes = 0;
  #isOpen = true;
  #onCut: ((error: GatewayError) => void) | null = null;

  constructor(giver: RoomGiver, { holder, signal, declaredBytes, startedAt }: UploadFacts) {
    super(giver, holder, signal);
    this.startedAt = startedAt;
    this.#declaredBytes = declaredBytes;
  }

  get arrivedBytes(): number {
    return this.#arrivedBytes;
  }

  /** False once complete, cut off or returned. */
  get isOpen(): boolean {
    return this.#isOpen;
  }

  /** Room that the upload needs in view of the bytes received so far. */
  get needed(): Room {
    return roomOfBody(this.#declaredBytes, this.#arrivedBytes);
  }

  /** True if some bytes have arrived, and more are expected. */
  get isPart(): boolean {
    return this.#isOpen && this.#arrivedBytes > 0 && this.#arrivedBytes !== this.#declaredBytes;
  }

  /** True if the upload needs no more room. */
  get hasAllRoom(): boolean {
    const { pool, isArriving } = this.held;
    return !this.isPart || (pool === 'large' && !isArriving);
  }

  /** Counts received bytes; `null` if there is room for them. Throws or rejects as `BodyBudget.take` does. */
  arrived(bytes: number): Promise<void> | null {
    this.#arrivedBytes += bytes;
    return this.giver.grow(this);
  }

  /** Sets what is called if the upload is cut off: at most once, and never after `finish`. */
  watch(onCut: (error: GatewayError) => void): void {
    this.#onCut = onCut;
  }

  /** Called once the body is complete. The upload can then no longer be cut off. */
  finish(): void {
    this.end();
    this.giver.finish(this);
  }

  /** Called by the budget. */
  cut(): void {
    const onCut = this.#onCut;
    this.end();
    onCut?.(new CutUpload());
  }

  /** Called by the budget. */
  end(): void {
    this.#isOpen = false;
    this.#onCut = null;
  }
}
