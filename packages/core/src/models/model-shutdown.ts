import type { ModelSlug } from '../primitives/ids.js';
import { type Instant, later, MILLISECONDS_PER_DAY, utcDayOf } from '../primitives/time.js';
import type { Model } from './catalogue.js';

/** The announced end of a model. */
export interface ModelShutdown {
  /** The first instant at which the model is not served. */
  readonly at: Instant;
  readonly successor: ModelSlug | null;
  /** True if the successor then serves requests for the model; otherwise they are refused. */
  readonly forwards: boolean;
}

/** Days before the end of a model during which its replies announce the end. */
export const SUNSET_DAYS = 60;

export function isShutDown({ shutdown }: Pick<Model, 'shutdown'>, at: Instant): boolean {
  return shutdown !== undefined && shutdown.at <= at;
}

/** The end that replies of the model announce; `null` earlier than `SUNSET_DAYS` before the end, and for a model without one. */
export function sunsetOf({ shutdown }: Pick<Model, 'shutdown'>, now: Instant): Instant | null {
  return shutdown !== undefined && later(shutdown.at, -SUNSET_DAYS * MILLISECONDS_PER_DAY) <= now ? shutdown.at : null;
}

/** Text of the refusal of a request for the model. */
export function shutdownText({ slug, shutdown }: Pick<Model, 'slug' | 'shutdown'>): string {
  if (shutdown === undefined) return `The model ${slug} is not served.`;
  const ended = `The model ${slug} was shut down on ${utcDayOf(shutdown.at)}.`;
  return shutdown.successor === null ? ended : `${ended} Use ${shutdown.successor} instead.`;
}
