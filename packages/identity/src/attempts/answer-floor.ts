import { type Clock, type Instant, later } from '@tollgate/core';

/** Answers that must not tell by their time whether an address is known leave at multiples of this after their request. */
export const ANSWER_STEP_MILLISECONDS = 100;
/** What follows the fixing of the time has so long without showing in the answer. */
const ROOM_MILLISECONDS = 50;

/** Starts work that the answer does not wait for. Throws when too much of it runs. */
export type InBackground = (work: () => Promise<void>) => void;

/** Times answers so that what they took says nothing about the person. */
export class AnswerFloor {
  /** 0: answers leave as soon as they can. */
  constructor(private readonly clock: Clock, private readonly stepMilliseconds: number) {}

  /** At the begin of the request's own work. */
  begin(): TimedAnswer {
    return new TimedAnswer(this.clock, this.stepMilliseconds);
  }

  /** Resolves when an answer may leave whose work goes on without it. */
  pass(): Promise<void> {
    return this.begin().due();
  }
}

/** One answer, from the begin of its work until it may leave. */
export class TimedAnswer {
  readonly #beganAt: Instant;
  #dueAt: Instant | null = null;

  constructor(private readonly clock: Clock, private readonly step: number) {
    this.#beganAt = clock.now();
  }

  /** Fixes when the answer leaves. Called before any work whose time depends on the person; the first call counts. */
  fix(): void {
    this.#dueAt ??= this.#stepAfter(later(this.clock.now(), ROOM_MILLISECONDS));
  }

  /** Resolves when the answer may leave: at the fixed time, or at the next step where the work took longer. */
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
