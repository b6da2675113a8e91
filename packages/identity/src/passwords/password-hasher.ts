import type { TurnHolder } from '../attempts/fair-turns.js';
import type { Password } from './password.js';

/** `outdated`: right, but hashed with weaker parameters than the current ones. */
export type PasswordVerdict = 'right' | 'outdated' | 'wrong';

/**
 * Hashes passwords, which is expensive and scheduled by `FairTurns`. All methods throw `too_many_attempts` with a retry delay if too much work is
 * waiting.
 */
export interface PasswordHasher {
  /** Throws if the other methods would. Call it before any record is read. */
  checkRoom(holder: TurnHolder): void;
  /** The returned hash includes its parameters. */
  hash(password: Password, holder: TurnHolder): Promise<string>;
  /** With `null`, takes as long as with a stored hash and returns `wrong`, so that the time does not reveal whether a person exists. */
  verify(password: Password, stored: string | null, holder: TurnHolder): Promise<PasswordVerdict>;
}
