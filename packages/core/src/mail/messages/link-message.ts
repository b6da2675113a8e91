/**
 * What a message with a link is made of. No name that a person has given is among it: anyone can sign up with another person's address,
 * and a name could then carry their words to that person.
 */
export interface LinkMessage {
  /** Where clients reach the installation. */
  readonly baseUrl: string;
  readonly token: string;
  /** Whole minutes. */
  readonly lifetimeMilliseconds: number;
}
