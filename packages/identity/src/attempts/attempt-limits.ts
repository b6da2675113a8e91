import {
  type CountedNetwork, countedNetworksOf, foldEmail, GatewayError, MILLISECONDS_PER_HOUR, MILLISECONDS_PER_MINUTE, MILLISECONDS_PER_SECOND, type PersonId,
  type SharedCount, type SharedCounter,
} from '@tollgate/core';
import type { SecretTokens } from '../tokens/secret-tokens.js';

/** So many in a window. */
interface Bound {
  readonly most: number;
  readonly windowMilliseconds: number;
}

/** Tries from the network of one customer: an IPv4 address, or an IPv6 /64. Larger networks have multiples of it: see `countedNetworksOf`. */
export const NETWORK_BOUNDS: readonly Bound[] = [{ most: 20, windowMilliseconds: MILLISECONDS_PER_MINUTE }, { most: 100, windowMilliseconds: MILLISECONDS_PER_HOUR }];
/** Tries about one e-mail address from the network of one customer, with one token, or of one person who is signed in. */
export const SUBJECT_BOUNDS: readonly Bound[] = [{ most: 5, windowMilliseconds: MILLISECONDS_PER_MINUTE }, { most: 20, windowMilliseconds: MILLISECONDS_PER_HOUR }];
/** Messages of one kind that strangers can have sent to one address. */
export const MAIL_BOUND: Bound = { most: 5, windowMilliseconds: MILLISECONDS_PER_HOUR };
/** Failed sign-ins about one e-mail address in an hour, from anywhere, after which further ones are delayed. */
export const UNDELAYED_FAILURES = 10;
const DELAY_STEP_MILLISECONDS = 200;
export const LONGEST_DELAY_MILLISECONDS = 2 * MILLISECONDS_PER_SECOND;

/** What a try is about. */
export type AttemptSubject =
  | { readonly kind: 'email'; readonly email: string }
  | { readonly kind: 'token'; readonly token: string }
  | { readonly kind: 'person'; readonly id: PersonId };

/** A try to prove something, or to have a message sent. */
export interface Attempt {
  /** The client's. It is counted in all its networks. */
  readonly address: string;
  readonly subject: AttemptSubject;
  /** The person whom the attempt is about, where their browser is known; see `KnownDevices`. */
  readonly knownAs?: PersonId | null;
}

/** An attempt within its limits. */
export interface AdmittedAttempt {
  /** Stops counting the attempt, since it succeeded. */
  giveBack(): Promise<void>;
}

export interface AttemptLimitsParts {
  /** The process's own counter. */
  readonly own: SharedCounter;
  /** The counter that all gateways share; `null` for a gateway that counts alone. */
  readonly shared: SharedCounter | null;
  /** So that no counter holds an address or a token in clear. */
  readonly tokens: SecretTokens;
}

interface Counted {
  readonly name: string;
  readonly windowMilliseconds: number;
}

/** Limits tries, before any password is hashed and before anything is looked up; so it answers the same for known and unknown addresses. */
export class AttemptLimits {
  constructor(private readonly parts: AttemptLimitsParts) {}

  /**
   * Counts a try. Throws `too_many_attempts`. Nothing that strangers do elsewhere makes it refuse a person, and nothing that they do anywhere one
   * whose browser is known.
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

  /** Counts a sign-in about an e-mail address, and tells how long it waits before it is looked at: from anywhere, since a delay locks no owner out. */
  async delaySignIn(email: string): Promise<AdmittedAttempt & { readonly milliseconds: number }> {
    const counted = { name: `sign-in ${this.hashed(foldEmail(email))}`, windowMilliseconds: MILLISECONDS_PER_HOUR };
    const { total } = await this.count(counted, 1);
    const milliseconds = Math.min(LONGEST_DELAY_MILLISECONDS, Math.max(0, total - 1 - UNDELAYED_FAILURES) * DELAY_STEP_MILLISECONDS);
    return { milliseconds, giveBack: () => this.takeBack([counted]) };
  }

  /**
   * Counts a message that someone without a session has sent to an address; `false`: send none. The link of the last one is still good then.
   * Known browsers of the person are counted apart, so strangers do not use up their messages.
   */
  async mayMail(kind: string, email: string, isKnown = false): Promise<boolean> {
    const name = `mail ${kind} ${isKnown ? 'known ' : ''}${this.hashed(foldEmail(email))}`;
    const { total } = await this.count({ name, windowMilliseconds: MAIL_BOUND.windowMilliseconds }, 1);
    return total <= MAIL_BOUND.most;
  }

  /** Smallest network and shortest window first, so that what they refuse does not fill the larger ones. */
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

  /** Counts here in any case, so that limits hold while the others cannot be reached. */
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
  return new GatewayError('too_many_attempts', 'Too many tries. Wait before you try again.', { retryAfterSeconds });
}
