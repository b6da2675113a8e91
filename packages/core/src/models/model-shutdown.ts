import type { ModelSlug } from '../primitives/ids.js';
import { type Instant, later, MILLISECONDS_PER_DAY, utcDayOf } from '../primitives/time.js';
import type { Model } from './catalogue.js';

/** The announced end of a model. */
export interface ModelShutdown {
  /** The first instant at which the model is not served. */
  readonly at: Instant;
  readonly successor: ModelSlug | null;
  /** From then on the successor serves requests for the model; without it they are refused. */
  readonly forwards: boolean;
}

/** How long before its end replies of a model name it. */
export const SUNSET_DAYS = 60;

export function isShutDown({ shutdown }: Pick<Model, 'shutdown'>, at: Instant): boolean {
  return shutdown !== undefined && shutdown.at <= at;
}

/** When the model ends, for replies; `null` earlier than `SUNSET_DAYS` before, and without an end. */
export function sunsetOf({ shutdown }: Pick<Model, 'shutdown'>, now: Instant): Instant | null {
  return shutdown !== undefined && later(shutdown.at, -SUNSET_DAYS * MILLISECONDS_PER_DAY) <= now ? shutdown.at : null;
}

/** Sentence of the refusal. */
export function shutdownText({ slug, shutdown }: Pick<Model, 'slug' | 'shutdown'>): string {
  if (shutdown === undefined) return `The model ${slug} is not served.`;
  const ended = `The model ${slug} was shut down on ${utcDayOf(shutdown.at)}.`;
  return shutdown.successor === null ? ended : `${ended} Use ${shutdown.successor} instead.`;
}
