import type { ConfirmTotpOutcome, Instant, Person, ProveOutcome } from '@tollgate/core';
import { totpCodeAt, wrongTotpCode } from '../../authenticators.js';
import { STORE_NOON } from '../store-subject.js';
import { aBrowser, cookieOf, type MakePeople, type PeopleDifferences, PeopleDriver } from './people-subject.js';

interface ProofOptions {
  readonly on?: PeopleDriver;
  readonly kind?: 'totp' | 'recovery';
}

/** Alice, who enrols an authenticator app and proves its codes. */
export class FactorDriver {
  /** The secret of the app. */
  secret = '';
  recoveryCodes: readonly string[] = [];
  /** The cookie of a session that has proved everything, at noon. */
  provenCookie = '';
  #people: PeopleDriver | null = null;
  #alice: Person | null = null;

  constructor(private readonly make: MakePeople) {}

  get people(): PeopleDriver {
    if (this.#people === null) throw new Error('the test has not started');
    return this.#people;
  }

  get alice(): Person {
    if (this.#alice === null) throw new Error('the test has not started');
    return this.#alice;
  }

  /** Opens an empty store and signs Alice up. */
  async start(differences: PeopleDifferences = {}): Promise<PeopleDriver> {
    this.#people = new PeopleDriver(await this.make(), differences);
    this.#alice = await this.people.start();
    return this.people;
  }

  /** Starts with an enrolled app; the enrolment has spent its code of noon. */
  async enrol(differences: PeopleDifferences = {}): Promise<PeopleDriver> {
    await this.start(differences);
    const cookie = await this.people.cookie();
    this.secret = await this.begin(cookie);
    const outcome = await this.confirm(cookie, this.codeAt(STORE_NOON));
    if (outcome.outcome !== 'enrolled') throw new Error(outcome.outcome);
    this.recoveryCodes = outcome.recoveryCodes;
    this.provenCookie = cookieOf(outcome);
    return this.people;
  }

  /** Begins an enrolment, and returns the secret of the app. */
  async begin(cookie: string, at = STORE_NOON): Promise<string> {
    const begun = await this.people.factors.beginTotp(aBrowser(cookie), at);
    if (begun.outcome !== 'begun') throw new Error(begun.outcome);
    return begun.secret;
  }

  confirm(cookie: string, code: string, at = STORE_NOON): Promise<ConfirmTotpOutcome> {
    return this.people.factors.confirmTotp(aBrowser(cookie), code, at);
  }

  codeAt(at: Instant): string {
    return totpCodeAt(this.secret, at);
  }

  prove(cookie: string, code: string, at: Instant, { on = this.people, kind = 'totp' }: ProofOptions = {}): Promise<ProveOutcome> {
    return on.sessions.prove(aBrowser(cookie), { kind, code }, at);
  }

  recover(cookie: string, code = this.recoveryCodes[0] ?? '', on = this.people): Promise<ProveOutcome> {
    return this.prove(cookie, code, STORE_NOON, { on, kind: 'recovery' });
  }

  /** Submits wrong codes one after the other, and returns the outcome of each. */
  async tryWrongCodes(cookie: string, count: number, at: Instant): Promise<readonly string[]> {
    const outcomes: string[] = [];
    for (let attempt = 0; attempt < count; attempt += 1) outcomes.push((await this.prove(cookie, wrongTotpCode(this.secret, at, attempt), at)).outcome);
    return outcomes;
  }

  /** What the session of a cookie may reach. */
  async reach(cookie: string, at: Instant): Promise<string | undefined> {
    return (await this.people.sessions.current(aBrowser(cookie), at))?.reach;
  }
}
