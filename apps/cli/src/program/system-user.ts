import { userInfo } from 'node:os';

/** The user that the operating system runs this process as; by number where it has no name, as in some containers. */
export function systemUser(): string {
  try {
    return userInfo().username;
  } catch {
    return `uid ${process.getuid?.() ?? 'unknown'}`;
  }
}
