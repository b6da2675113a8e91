import { type Banner, rfc3339 } from '@tollgate/core';
import { timeOrNull } from './time-or-null.js';

/** What is on top of every page of the dashboard; `null` where nothing is. */
export function encodeBanner(banner: Banner | null) {
  if (banner === null) return null;
  const { kind, state, from, until, text } = banner;
  return { kind, state, from: rfc3339(from), until: timeOrNull(until), text };
}
