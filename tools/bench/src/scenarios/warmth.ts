import type { SubjectId } from '../subjects/subject.js';

/** What requests have in common that run the same code. */
export type Work = 'small' | 'agent' | 'large' | 'messages' | 'streams';

/** How long a kind of work has to last until the runtime has compiled what it runs. */
export interface WarmUp {
  readonly work: Work;
  /** For whoever reads requests, which is more code than handing them on. */
  readonly gatewaySeconds: number;
  readonly passThroughSeconds: number;
}

/** For the requests that run nearly all the code there is: the first of them cost ten times as much. */
export const SMALL_WARM_UP: WarmUp = { work: 'small', gatewaySeconds: 9, passThroughSeconds: 6 };

/** One that can be warm, told apart from others by being another object. */
interface Warmed {
  readonly id: SubjectId;
}

const PASS_THROUGHS: ReadonlySet<SubjectId> = new Set(['node', 'express', 'parsing', 'durable']);

function secondsFor(id: SubjectId, { gatewaySeconds, passThroughSeconds }: WarmUp): number {
  // What it consists of serves the warm-ups of all others.
  if (id === 'direct') return 0;
  return PASS_THROUGHS.has(id) ? passThroughSeconds : gatewaySeconds;
}

/**
 * Knows what every subject is warm for, so that it is warmed up once for each kind of work, whichever scenario comes first.
 * Seconds are never made shorter for a quick run: a gateway that is cold looks far dearer than it is.
 */
export class Warmth {
  readonly #warm = new WeakMap<Warmed, Map<Work, number>>();

  /** How many seconds of its work a subject lacks; they count as given from then on. */
  take(subject: Warmed, warmUp: WarmUp): number {
    const given = this.#warm.get(subject) ?? new Map<Work, number>();
    const wanted = secondsFor(subject.id, warmUp);
    const before = given.get(warmUp.work) ?? 0;
    this.#warm.set(subject, given.set(warmUp.work, Math.max(before, wanted)));
    return Math.max(0, wanted - before);
  }
}
