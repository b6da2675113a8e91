/** Longest part of a path that is logged: paths that no endpoint answers may be of any length. */
const MAXIMUM_CHARACTERS = 200;

/** What may be a key, ours or another service's, also percent-encoded. */
const KEY = /sk(?:-|%2d)(?:[\w-]|%[0-9a-f]{2}){16,}/gi;

/** A path as it may be logged, without the keys that a client put into it by mistake. */
export function loggedPath(path: string): string {
  return path.replaceAll(KEY, 'sk-[redacted]').slice(0, MAXIMUM_CHARACTERS);
}
