import type { Password } from '../people/password.js';

/** `outdated`: right, and hashed with weaker parameters than today's. */
export type PasswordVerdict = 'right' | 'outdated' | 'wrong';

/**
 * Makes stored passwords expensive to guess. Where too many wait for their turn, each method waits for room for a second and then throws
 * `server_busy` with a time to try again: clients that send on without being served lose time, and cost little.
 */
export interface PasswordHasher {
  /** Resolves when there is room. Asked before anything is looked up for a hash. */
  room(): Promise<void>;
  /** The text to store; it names its own parameters. */
  hash(password: Password): Promise<string>;
  /** `null` costs the same time as a stored hash, and is `wrong`: so nobody learns by waiting whether a person exists. */
  verify(password: Password, stored: string | null): Promise<PasswordVerdict>;
}
