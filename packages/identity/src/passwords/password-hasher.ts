import type { TurnHolder } from '../attempts/fair-turns.js';
import type { Password } from './password.js';

/** `outdated`: right, and hashed with weaker parameters than today's. */
export type PasswordVerdict = 'right' | 'outdated' | 'wrong';

/**
 * Makes stored passwords expensive to guess. Each method waits for the turn of its holder and throws `too_many_attempts`, with a time to try again,
 * where too much work waits: see `FairTurns`.
 */
export interface PasswordHasher {
  /** Throws as the other methods would. Asked before anything is looked up for a stranger's hash. */
  checkRoom(holder: TurnHolder): void;
  /** The text to store; it names its own parameters. */
  hash(password: Password, holder: TurnHolder): Promise<string>;
  /** `null` costs the same time as a stored hash, and is `wrong`: so response times do not reveal whether a person exists. */
  verify(password: Password, stored: string | null, holder: TurnHolder): Promise<PasswordVerdict>;
}
