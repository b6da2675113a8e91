import type { Password } from '../people/password.js';

/** `outdated`: right, and hashed with weaker parameters than today's. */
export type PasswordVerdict = 'right' | 'outdated' | 'wrong';

/** Makes stored passwords expensive to guess. Throws `server_busy` with a time to try again when too many wait for their turn. */
export interface PasswordHasher {
  /** The text to store; it names its own parameters. */
  hash(password: Password): Promise<string>;
  /** `null` costs the same time as a stored hash, and is `wrong`: so nobody learns by waiting whether a person exists. */
  verify(password: Password, stored: string | null): Promise<PasswordVerdict>;
}
