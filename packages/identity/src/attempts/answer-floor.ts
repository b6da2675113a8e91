import { type Clock, type Instant, later } from '@tollgate/core';

/** Answers whose time must not reveal whether an address belongs to a person are sent at a multiple of this time after the request. */
export const ANSWER_STEP_MILLISECONDS = 100;
/** Time for work after `fix` that does not delay the answer. */
const ROOM_MILLISECONDS = 50;

/** Starts work that continues after the answer. Throws if too much of it is running. */
export type InBackground = (work: () => Promise<void>) => void;

/** Delays answers to times that reveal nothing about the person. */
export class AnswerFloor {
  /** @param stepMilliseconds 0 disables the delay. */
  constructor(private readonly clock: Clock, private readonly stepMilliseconds: number) {}

  /** Call this at the start of the request's work. */
  begin(): TimedAnswer {
    return new TimedAnswer(this.clock, this.stepMilliseconds);
  }

  /** For a request whose work continues in the background: resolves when its answer may leave. */
  pass(): Promise<void> {
    return this.begin().due();
  }
}

export class TimedAnswer {
  readonly #beganAt: Instant;
  #dueAt: Instant | null = null;

  constructor(private readonly clock: Clock, private readonly step: number) {
    this.#beganAt = clock.now();
  }

  /** Determines when the answer leaves. Call it before any work whose duration depends on the person; later calls do nothing. */
  fix(): void {
    this.#dueAt ??= this.#stepAfter(later(this.clock.now(), ROOM_MILLISECONDS));
  }

  /** Resolves at the fixed time; if the work took longer, at the next step. Without a step, resolves at once. */
  due(): Promise<void> {
    if (this.step === 0) return Promise.resolve();
    this.fix();
    const now = this.clock.now();
    const dueAt = Math.max(this.#dueAt ?? now, this.#stepAfter(now));
    return new Promise((resolve) => {
      this.clock.schedule(dueAt - now, resolve);
    });
  }

  #stepAfter(at: Instant): Instant {
    return later(this.#beganAt, Math.ceil((at - this.#beganAt) / this.step) * this.step);
  }
}
