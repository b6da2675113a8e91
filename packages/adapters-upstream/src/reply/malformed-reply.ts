import { UpstreamFailure } from '../upstream/upstream-failure.js';

const LOGGED_CHARACTERS = 1_000;

export function malformedReply(what: string, text: string): UpstreamFailure {
  return new UpstreamFailure('malformed-reply', `the upstream sent ${what}`, text.slice(0, LOGGED_CHARACTERS));
}
