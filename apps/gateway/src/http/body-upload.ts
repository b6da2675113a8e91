import { type CancelSignal, GatewayError, type Instant } from '@tollgate/core';
import type { HolderState } from './body-holders.js';
import { NO_ROOM, type Room, roomOfBody } from './body-room.js';

/** What the budget does for a room. */
export interface RoomGiver {
  grow(upload: BodyUpload): Promise<void> | null;
  finish(upload: BodyUpload): void;
  giveBack(room: BodyRoom): void;
}

/** A request that waits for more room. */
export interface WaitingRequest {
  readonly room: BodyRoom;
  readonly wanted: Room;
  readonly grant: () => void;
  readonly refuse: (error: GatewayError) => void;
}

/** An upload was cut off to make room for other requests. It is answered with status 408. */
export class CutUpload extends GatewayError {
  constructor() {
    const message = 'The upload of the request body took more than five seconds, and the service needed its room for other requests. Please try again.';
    super('invalid_request', message, { retryAfterSeconds: 1 });
  }
}

/** The room that a body, or what is loaded for a request, takes until it is given back. */
export class BodyRoom {
  held = NO_ROOM;
  waiting: WaitingRequest | null = null;

  constructor(protected readonly giver: RoomGiver, readonly holder: HolderState, readonly signal: CancelSignal) {}

  /** Repeating it changes nothing. */
  giveBack(): void {
    this.giver.giveBack(this);
  }
}

interface UploadFacts {
  readonly holder: HolderState;
  /** Aborted when the client leaves. */
  readonly signal: CancelSignal;
  /** `null` where the headers declare no length. */
  readonly declaredBytes: number | null;
  readonly startedAt: Instant;
}

/** The room of a body that arrives; it grows with what has arrived. */
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

  /** False once the body has arrived, is cut off or has given back its room. */
  get isOpen(): boolean {
    return this.#isOpen;
  }

  /** The room for what has arrived. */
  get needed(): Room {
    return roomOfBody(this.#declaredBytes, this.#arrivedBytes);
  }

  /** More of it is to arrive than is here. */
  get isPart(): boolean {
    return this.#isOpen && this.#arrivedBytes > 0 && this.#arrivedBytes !== this.#declaredBytes;
  }

  /** It asks for no more room. */
  get hasAllRoom(): boolean {
    const { pool, isArriving } = this.held;
    return !this.isPart || (pool === 'large' && !isArriving);
  }

  /** Takes room for more of the body. `null`: there is room. Throws, or rejects with, what `BodyBudget.take` does. */
  arrived(bytes: number): Promise<void> | null {
    this.#arrivedBytes += bytes;
    return this.giver.grow(this);
  }

  /** `onCut` is called at most once, and never after `finish`. */
  watch(onCut: (error: GatewayError) => void): void {
    this.#onCut = onCut;
  }

  /** The body has arrived as a whole: it is not cut off any more. */
  finish(): void {
    this.end();
    this.giver.finish(this);
  }

  /** For the budget. */
  cut(): void {
    const onCut = this.#onCut;
    this.end();
    onCut?.(new CutUpload());
  }

  /** For the budget. */
  end(): void {
    this.#isOpen = false;
    this.#onCut = null;
  }
}
