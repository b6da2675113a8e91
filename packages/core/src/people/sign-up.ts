import { DISPLAY_NAME_RULE } from '../display-name.js';
import { foldEmail } from '../accounts/mail-address.js';
import { GatewayError } from '../errors/gateway-error.js';
import type { PersonDirectory, PersonRecord, RegisterOutcome } from '../ports/person-directory.js';
import { type Account } from '../accounts/account.js';
import type { MoneyAct } from '../billing/money-act.js';
import type { AccountId, PersonId, PlanId } from '../primitives.js';
import type { ServiceTokens } from '../money/service-tokens.js';
import type { AddressHashes, Clock, IdentityIdGenerator } from '../ports/system.js';
import { type Actor, SYSTEM_ACTOR } from '../ports/audit.js';
import type { Instant } from '../time.js';
import { countedNetworksOf } from '../platform/network.js';
import { mailboxNameOf } from './mailbox.js';
import type { Person } from './person.js';
import { existingAccountMessage } from '../mail/messages.js';
import type { PasswordRules } from './password-rules.js';
import type { AnswerFloor, AttemptLimits, InBackground } from './attempt-limits.js';
import type { PersonMails } from './person-mails.js';

/** Who may sign up: everyone, people whom an operator has invited, or no one. It applies to every way to sign in. */
export type SignUpPolicy = 'open' | 'invitation' | 'closed';

/** How a person comes to be: by signing up, or by an operator's invitation. */
export type Registration = 'sign-up' | 'invitation';

/** Whether someone new may register. */
export function permitsRegistration(policy: SignUpPolicy, registration: Registration): boolean {
  if (policy === 'closed') return false;
  return policy === 'open' || registration === 'invitation';
}

/**
 * Whether the policy, as it is now, lets in a person who is known: by whichever link, by a reset and by an issuer alike. Those who have verified their address
 * are in for good. Of the others, those with a password signed up by themselves, and those without were invited.
 */
export function admitsPerson(policy: SignUpPolicy, { person, passwordHash }: Pick<PersonRecord, 'person' | 'passwordHash'>): boolean {
  return person.emailVerified || permitsRegistration(policy, passwordHash === null ? 'invitation' : 'sign-up');
}

/** For everyone whom the policy does not let in. */
export function signUpClosed(): GatewayError {
  return new GatewayError('sign_up_closed', 'This installation takes no sign-ups. Ask the operator for an invitation.');
}

/** Credits that one network receives in a UTC day: an IPv4 address, or the /64 of an IPv6 address; larger networks of IPv6 receive more, by `countedNetworksOf`. */
export const SIGNUP_CREDITS_PER_NETWORK = 20;

/** A network that credits are counted by. */
export interface CreditedNetwork {
  /** Its keyed hash. */
  readonly hash: string;
  /** Credits in a UTC day. */
  readonly most: number;
}

/** What the owner of a new account is given when they verify their address, once for each mailbox. */
export interface SignupCredit {
  /** More than zero. */
  readonly amount: ServiceTokens;
  /** By which a store knows a mailbox that was credited before, also after it was erased; at least one, each once. */
  readonly addressHashes: readonly string[];
  /** Where the verification came from; empty where that is not known. */
  readonly networks: readonly CreditedNetwork[];
}

/** The credit of this installation, for the addresses of newcomers. */
export class SignupCredits {
  /** `amount` is more than zero. */
  constructor(private readonly amount: ServiceTokens, private readonly hashes: AddressHashes) {}

  /** `address` is the client's that verifies. The address itself is hashed too, as before mailboxes were told apart. */
  for(email: string, address?: string): SignupCredit {
    const folded = foldEmail(email);
    const addressHashes = [...new Set([mailboxNameOf(folded), folded].flatMap((each) => this.hashes.of(each)))];
    const counted = address === undefined ? [] : countedNetworksOf(address);
    const networks = counted.flatMap(({ name, times }) => this.hashes.of(`network ${name}`).slice(0, 1).map((hash) => ({ hash, most: SIGNUP_CREDITS_PER_NETWORK * times })));
    return { amount: this.amount, addressHashes, networks };
  }
}

/** How the credit is booked: by the gateway, under a reference that an account has once. */
export function signupCreditAct(accountId: AccountId, { amount }: SignupCredit, at: Instant): MoneyAct {
  return { kind: 'signup-credit', accountId, amount, reference: `sign-up of ${accountId}`, reason: null, actor: SYSTEM_ACTOR, at };
}

export interface Newcomer {
  readonly email: string;
  readonly name: string;
  readonly at: Instant;
}

/** Names a person of whom no name is known that can be trusted. */
export function mailboxOf(email: string): string {
  return email.slice(0, email.lastIndexOf('@'));
}

/** People and accounts as they begin, on every way of signing up. */
export class PersonDrafts {
  /** `planId`: the plan that new accounts are on. `credits`: what they are given at the verification of their address. */
  constructor(private readonly ids: IdentityIdGenerator, private readonly planId: PlanId, private readonly credits: SignupCredits | null = null) {}

  /** Whose address is not verified, and whose account the store decides. */
  person({ email, name, at }: Newcomer): Person {
    return { id: this.ids.personId(), accountId: null, email: foldEmail(email), emailVerified: false, name, role: 'owner', factors: [], createdAt: at };
  }

  /** A new account in the person's name, for where none with the address exists. */
  accountFor({ email, name }: Pick<Person, 'email' | 'name'>, at: Instant): Account {
    return {
      id: this.ids.accountId(), email, name, planId: this.planId, status: 'active', emailVerified: false, blocked: false, deletion: null, createdAt: at,
    };
  }

  /** `null`: accounts begin with nothing. */
  creditFor({ email }: Pick<Person, 'email'>, address?: string): SignupCredit | null {
    return this.credits?.for(email, address) ?? null;
  }
}

export interface SignUpParts {
  readonly passwords: PasswordRules;
  readonly people: PersonDirectory;
  readonly mails: PersonMails;
  readonly clock: Clock;
  readonly floor: AnswerFloor;
  readonly limits: AttemptLimits;
  readonly policy: SignUpPolicy;
}

/** What a person typed. */
export interface SignUpForm {
  readonly email: string;
  readonly name: string;
  readonly password: string;
  /** The client's, for the audit trail. */
  readonly address?: string | undefined;
}

/** The id of the person, or the reason why there can be none, which depends on the form alone. */
function idOf(outcome: RegisterOutcome): PersonId {
  switch (outcome.outcome) {
    case 'created': case 'existing': return outcome.id;
    case 'closed': throw signUpClosed();
    case 'email-malformed': throw new GatewayError('invalid_request', 'email: must be an e-mail address.', { param: 'email' });
    case 'name-malformed': throw new GatewayError('invalid_request', `name: must be ${DISPLAY_NAME_RULE}.`, { param: 'name' });
  }
}

/** Sign-up by a form. The answer, and the time it takes, are the same whether or not the address is known; only the mail differs. */
export class SignUp {
  constructor(private readonly parts: SignUpParts) {}

  /** Resolves when the answer may leave. Throws `sign_up_closed`, or `invalid_request` that names the field. */
  async register({ email, name, password: typed, address }: SignUpForm, inBackground: InBackground): Promise<void> {
    const { people, clock, floor, policy } = this.parts;
    if (!permitsRegistration(policy, 'sign-up')) throw signUpClosed();
    const password = await this.parts.passwords.require(typed, 'password', email);
    const answer = floor.begin();
    const id = idOf(await people.register({ email, name, password, address, at: clock.now(), onHashed: () => answer.fix() }));
    inBackground(() => this.sendMail(id));
    await answer.due();
  }

  /** A link to verify the address; to a person who has verified it, word that they have an account. */
  private async sendMail(id: PersonId): Promise<void> {
    const { people, mails, limits } = this.parts;
    const person = await people.find(id);
    if (person === null || !await limits.mayMail(person.emailVerified ? 'existing-account' : 'verification', person.email)) return;
    if (person.emailVerified) await mails.notify(person.email, 'existing-account', existingAccountMessage({ baseUrl: mails.baseUrl }));
    else await mails.sendVerification(person);
  }
}

export interface InvitationsParts {
  readonly people: PersonDirectory;
  readonly mails: PersonMails;
  readonly clock: Clock;
}

export interface InvitationCommand {
  readonly email: string;
  readonly name: string;
  /** The operator who invites. */
  readonly by: Actor;
}

/** `has-account`: the address is verified already, and no message was sent. `closed`: `SIGN_UP` admits no one. */
export type InvitationOutcome = 'invited' | 'has-account' | 'closed' | 'email-malformed' | 'name-malformed';

/** Invitations by operators: a link with which the invited person chooses a password. */
export class Invitations {
  constructor(private readonly parts: InvitationsParts) {}

  /** Repeating it sends a new link in place of the one before, also to someone who signed up and never verified. */
  async invite({ email, name, by }: InvitationCommand): Promise<InvitationOutcome> {
    const { people, mails, clock } = this.parts;
    const registered = await people.invite({ email, name, by, at: clock.now() });
    if (registered.outcome !== 'created' && registered.outcome !== 'existing') return registered.outcome;
    const person = await people.find(registered.id);
    if (person === null || person.emailVerified) return 'has-account';
    await mails.sendLink(person, 'invitation');
    return 'invited';
  }
}
