import {
  type CountedNetwork, countedNetworksOf, foldEmail, GatewayError, MILLISECONDS_PER_HOUR, MILLISECONDS_PER_MINUTE, MILLISECONDS_PER_SECOND, type PersonId,
  type SharedCount, type SharedCounter,
} from '@tollgate/core';
import type { SecretTokens } from '../tokens/secret-tokens.js';

/** A bound of `most` per window. */
interface Bound {
  readonly most: number;
  readonly windowMilliseconds: number;
}

/** Bounds per IPv4 address or IPv6 /64; for larger networks see `countedNetworksOf`. */
export const NETWORK_BOUNDS: readonly Bound[] = [{ most: 20, windowMilliseconds: MILLISECONDS_PER_MINUTE }, { most: 100, windowMilliseconds: MILLISECONDS_PER_HOUR }];
/** Bounds per e-mail address and network, per token, or per signed-in person. */
export const SUBJECT_BOUNDS: readonly Bound[] = [{ most: 5, windowMilliseconds: MILLISECONDS_PER_MINUTE }, { most: 20, windowMilliseconds: MILLISECONDS_PER_HOUR }];
/** Bound on messages of one kind to one address, such as those caused by requests without a session. */
export const MAIL_BOUND: Bound = { most: 5, windowMilliseconds: MILLISECONDS_PER_HOUR };
/** Failures per e-mail address and hour, from all networks, that do not delay the next sign-in. Each further one adds `DELAY_STEP_MILLISECONDS`. */
export const UNDELAYED_FAILURES = 10;
const DELAY_STEP_MILLISECONDS = 200;
export const MAX_DELAY_MILLISECONDS = 2 * MILLISECONDS_PER_SECOND;

export type AttemptSubject =
  | { readonly kind: 'email'; readonly email: string }
  | { readonly kind: 'token'; readonly token: string }
  | { readonly kind: 'person'; readonly id: PersonId };

/** An attempt to prove something or to have a message sent. */
export interface Attempt {
  /** Address of the client; counted in all its networks. */
  readonly address: string;
  readonly subject: AttemptSubject;
  /** The person who has signed in with this browser, if known; see `KnownDevices`. */
  readonly knownAs?: PersonId | null;
}

export interface AdmittedAttempt {
  /** Called after a success: only failures count against the limits. */
  giveBack(): Promise<void>;
}

export interface AttemptLimitsParts {
  /** Counts of this process alone. */
  readonly own: SharedCounter;
  /** Counts of all gateways; `null` if there is a single gateway. */
  readonly shared: SharedCounter | null;
  /** Hashes the names of counters, so that none stores an address or a token in plaintext. */
  readonly tokens: SecretTokens;
}

interface Counted {
  readonly name: string;
  readonly windowMilliseconds: number;
}

/** Limits of attempts. They apply before a password is hashed or a record is read, so they do not reveal which addresses have an account. */
export class AttemptLimits {
  constructor(private readonly parts: AttemptLimitsParts) {}

  /**
   * Throws `too_many_attempts`. Attempts from other networks cannot lock a person out. The browsers that a person has signed in with share a limit,
   * against which attempts from other browsers do not count.
   */
  async admit({ address, subject, knownAs = null }: Attempt): Promise<AdmittedAttempt> {
    const counted: Counted[] = [];
    if (knownAs !== null) {
      await this.demand(`device ${knownAs}`, { bounds: SUBJECT_BOUNDS, times: 1 }, counted);
      return { giveBack: () => this.takeBack(counted) };
    }
    const networks = countedNetworksOf(address);
    for (const { name, times } of networks) await this.demand(`network ${name}`, { bounds: NETWORK_BOUNDS, times }, counted);
    for (const { name, times } of this.namesOf(subject, networks)) await this.demand(name, { bounds: SUBJECT_BOUNDS, times }, counted);
    return { giveBack: () => this.takeBack(counted) };
  }

  /** Counts a sign-in for the address and returns its delay. Counts all networks together, because a delay does not lock the owner out. */
  async delaySignIn(email: string): Promise<AdmittedAttempt & { readonly milliseconds: number }> {
    const counted = { name: `sign-in ${this.hashed(foldEmail(email))}`, windowMilliseconds: MILLISECONDS_PER_HOUR };
    const { total } = await this.count(counted, 1);
    const milliseconds = Math.min(MAX_DELAY_MILLISECONDS, Math.max(0, total - 1 - UNDELAYED_FAILURES) * DELAY_STEP_MILLISECONDS);
    return { milliseconds, giveBack: () => this.takeBack([counted]) };
  }

  /**
   * Counts a message, such as one that a request without a session causes. False if it must not be sent; the previous link then stays valid. Known
   * browsers are counted separately, so that strangers cannot use up a person's messages.
   */
  async mayMail(kind: string, email: string, isKnown = false): Promise<boolean> {
    const name = `mail ${kind} ${isKnown ? 'known ' : ''}${this.hashed(foldEmail(email))}`;
    const { total } = await this.count({ name, windowMilliseconds: MAIL_BOUND.windowMilliseconds }, 1);
    return total <= MAIL_BOUND.most;
  }

  /**
   * Counts the shortest window first, and is called with the smallest network first, so that a refused attempt does not count for longer windows and
   * larger networks.
   */
  private async demand(name: string, { bounds, times }: { readonly bounds: readonly Bound[]; readonly times: number }, counted: Counted[]): Promise<void> {
    for (const { most, windowMilliseconds } of bounds) {
      const window = { name: `${name} ${windowMilliseconds}`, windowMilliseconds };
      const { total, endsInMilliseconds } = await this.count(window, 1);
      if (total > most * times) throw tooMany(endsInMilliseconds);
      counted.push(window);
    }
  }

  private async takeBack(counted: readonly Counted[]): Promise<void> {
    await Promise.all(counted.map((window) => this.count(window, -1)));
  }

  /** Always counts in this process too, so that limits hold while the shared counter is unreachable. */
  private async count({ name, windowMilliseconds }: Counted, units: number): Promise<SharedCount> {
    const { own, shared } = this.parts;
    const here = await own.add(name, units, windowMilliseconds);
    return shared === null ? here : shared.add(`attempt ${name}`, units, windowMilliseconds).catch(() => here);
  }

  private namesOf(subject: AttemptSubject, networks: readonly CountedNetwork[]): readonly CountedNetwork[] {
    switch (subject.kind) {
      case 'email': {
        const email = this.hashed(foldEmail(subject.email));
        return networks.map(({ name, times }) => ({ name: `email ${email} ${name}`, times }));
      }
      case 'token': return [{ name: `token ${this.hashed(subject.token)}`, times: 1 }];
      case 'person': return [{ name: `person ${subject.id}`, times: 1 }];
    }
  }

  private hashed(text: string): string {
    return this.parts.tokens.hash(text);
  }
}

function tooMany(endsInMilliseconds: number): GatewayError {
  const retryAfterSeconds = Math.max(1, Math.ceil(endsInMilliseconds / MILLISECONDS_PER_SECOND));
  return new GatewayError('too_many_attempts', 'Too many attempts. Try again later.', { retryAfterSeconds });
}
