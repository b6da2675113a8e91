import {
  type AccountAdministration, type AccountDeletion, type AccountRepository, type AccountStandings, type AllAccountsUsage, type AuditTrail, type Blocklist,
  type Clock, type GenerationEstimates, type IdGenerator, type KeyManagement, type OperatorControls, type OperatorLookups, PAY_AS_YOU_GO,
  type PlaygroundAccess,
} from '@tollgate/core';
import {
  type AccountSearch, AddressChange, AddressVerification, AnswerFloor, type AttemptLimits, type IdentityIdGenerator, Invitations, IssuerAdmissions,
  type IssuerRecords, IssuerSignIn, type KnownDevices, LOOPBACK_ISSUER_COOKIE, type Mailer, type MailOutbox, type OwnDeletion, OwnPassword,
  type PasskeyRecords, Passkeys, type PasskeysParts, PasswordReset, type PasswordRules, PasswordSignIn, type PersonDirectory, PersonDrafts, PersonMails,
  type PersonRecords, type SecondFactorPolicy, type SecondFactors, SECURE_ISSUER_COOKIE, type SessionRecords, type Sessions, SessionStart,
  type SessionStartParts, SignUp, type SignupCredits, type SignUpPolicy,
} from '@tollgate/identity';
import type { Logger } from 'pino';
import type { DashboardSettings } from '@tollgate/adapters-config';
import { HmacChallenges, type InstallationSecret } from '@tollgate/adapters-node';
import { OpenIdIssuer, relyingPartyOf, WebAuthnCeremonies } from '@tollgate/adapters-sign-in';
import type { JsonBodyReader } from '../../http/json-body-reader.js';
import type { UnbilledLimits } from '../../http/unbilled-limits.js';
import type { RefusalCounts } from '../../live/refusal-counts.js';
import type { AccountStatePorts } from '../../routes/account.js';
import type { PublicAddress } from '../../http/public-address.js';
import type { Reconciler } from '../../background/reconciler.js';
import type { LiveFeed } from '../../live/live-feed.js';
import type { WaitingSettlements } from '../../observability/gateway-metrics.js';
import type { ObservedUpstreams } from '../../observability/upstream-health.js';
import type { GenerationHandler } from '../../routes/generation/generation-handler.js';

/** What the operator of the installation has set for the dashboard. */
interface DashboardRules {
  readonly signUp: SignUpPolicy;
  readonly secondFactor: SecondFactorPolicy;
  /** How to get credit; `null`: the operator has not said. */
  readonly creditLine: string | null;
  /** Where operators may act from; empty: anywhere. */
  readonly operatorNetworks: readonly string[];
}

/** What the routes under `/dashboard` work with. */
export interface DashboardPorts extends AccountStatePorts {
  readonly address: PublicAddress;
  readonly rules: DashboardRules;
  /** Whether messages go to a mail server, and not into a folder. */
  readonly hasMailServer: boolean;
  readonly people: PersonDirectory;
  readonly sessions: Sessions;
  readonly secondFactors: SecondFactors;
  readonly identity: IdentityUseCases;
  readonly signInMethods: SignInMethods;
  readonly attempts: AttemptLimits;
  readonly devices: KnownDevices;
  readonly accounts: AccountRepository;
  readonly allUsage: AllAccountsUsage;
  readonly administration: AdministrationPorts;
  readonly ownDeletion: OwnDeletion;
  readonly auditTrail: AuditTrail;
  readonly keyManagement: KeyManagement;
  readonly unbilled: UnbilledLimits;
  readonly bodies: JsonBodyReader;
  readonly log: Logger;
  readonly operations: OperationPorts;
  readonly refusals: RefusalCounts;
  readonly playground: PlaygroundPorts;
  /** The folder that the dashboard is built into; it may be missing. */
  readonly pages: URL;
}

/** What the routes work with by which operators manage accounts: the use cases of the command line. */
export interface AdministrationPorts {
  readonly search: AccountSearch;
  readonly lookups: OperatorLookups;
  readonly accountAdministration: AccountAdministration;
  readonly standings: AccountStandings;
  readonly deletions: AccountDeletion;
  /** From a request for deletion until it is due. */
  readonly deletionGraceMilliseconds: number;
}

/** What the routes work with by which operators watch and steer the service. */
interface OperationPorts {
  readonly controls: OperatorControls;
  readonly blocklist: Blocklist;
  readonly upstreams: ObservedUpstreams;
  readonly reconciler: Reconciler;
  /** `null` when no settlement ever waits. */
  readonly outbox: WaitingSettlements | null;
  readonly mailOutbox: MailOutbox;
  readonly mailer: Mailer;
  readonly ids: Pick<IdGenerator, 'responseId'> & IdentityIdGenerator;
  readonly live: LiveFeed;
}

/** What the routes of the playground work with: the handlers of `/v1`, and the key that they are called by. */
interface PlaygroundPorts {
  readonly access: PlaygroundAccess;
  readonly chat: GenerationHandler;
  readonly messages: GenerationHandler;
  readonly responses: GenerationHandler;
  readonly estimates: GenerationEstimates;
}

interface SignInMethodsParts extends Omit<SessionStartParts, 'sessions' | 'cookie' | 'secondFactor'>, Pick<PasskeysParts, 'notices'> {
  readonly ids: IdentityIdGenerator;
  readonly store: { readonly people: PersonRecords; readonly sessions: SessionRecords; readonly passkeys: PasskeyRecords; readonly issuers: IssuerRecords };
  readonly secret: InstallationSecret | null;
  readonly signupCredits: SignupCredits | null;
  readonly address: PublicAddress;
  readonly settings: Pick<DashboardSettings, 'signUp' | 'secondFactor' | 'issuer'>;
}

export type PasskeysOffer = { readonly outcome: 'available'; readonly passkeys: Passkeys } | { readonly outcome: 'ip-address' | 'insecure-address' | 'no-secret' };

const CALLBACK = '/dashboard/api/auth/callback/oidc';

/** Passkeys and the issuer, as the public address and the settings permit; made at the first request, when the address is known. */
export class SignInMethods {
  #passkeys: PasskeysOffer | null = null;
  #issuer: IssuerSignIn | null = null;

  constructor(private readonly parts: SignInMethodsParts) {}

  passkeys(): PasskeysOffer {
    this.#passkeys ??= this.openPasskeys();
    return this.#passkeys;
  }

  /** `null` where no issuer is set. */
  issuerName(): string | null {
    const { settings, secret } = this.parts;
    return secret === null ? null : settings.issuer?.name ?? null;
  }

  issuer(): IssuerSignIn | null {
    this.#issuer ??= this.openIssuer();
    return this.#issuer;
  }

  private start(): SessionStart {
    const { store, tokens, ids, settings, address } = this.parts;
    return new SessionStart({ sessions: store.sessions, tokens, ids, secondFactor: settings.secondFactor, cookie: address.cookieForm });
  }

  private openPasskeys(): PasskeysOffer {
    const { store, secret, address, tokens, ids, notices } = this.parts;
    const found = relyingPartyOf(new URL(address.origin));
    if (found.outcome !== 'available') return found;
    if (secret === null) return { outcome: 'no-secret' };
    const passkeys = new Passkeys({
      people: store.people, records: store.passkeys, ceremonies: new WebAuthnCeremonies(found.relyingParty), challenges: new HmacChallenges(secret.keysFor('challenge')),
      tokens, ids, start: this.start(), notices, cookie: address.cookieForm,
    });
    return { outcome: 'available', passkeys };
  }

  private openIssuer(): IssuerSignIn | null {
    const { store, secret, address, tokens, ids, signupCredits, settings: { issuer, signUp } } = this.parts;
    if (issuer === null || secret === null) return null;
    return new IssuerSignIn({
      issuer: new OpenIdIssuer({ ...issuer, redirectUri: `${address.origin}${CALLBACK}` }), challenges: new HmacChallenges(secret.keysFor('challenge')), tokens,
      admissions: new IssuerAdmissions({ records: store.issuers, people: store.people, drafts: new PersonDrafts(ids, PAY_AS_YOU_GO, signupCredits), start: this.start(), signUp }),
      cookie: address.cookieForm.secure ? SECURE_ISSUER_COOKIE : LOOPBACK_ISSUER_COOKIE,
    });
  }
}

interface IdentityPorts {
  readonly people: PersonDirectory;
  readonly mailer: Mailer;
  readonly sessions: Sessions;
  readonly ids: IdentityIdGenerator;
  readonly clock: Clock;
  readonly site: PublicAddress;
  readonly limits: AttemptLimits;
  readonly passwords: PasswordRules;
}

interface IdentitySettings {
  /** Answers that must not tell whether an address is known leave at multiples of this after their request. */
  readonly answerStepMilliseconds: number;
  readonly dashboard: Pick<DashboardSettings, 'signUp'>;
}

/** The use cases behind sign-up, sign-in and the links in mail. */
export interface IdentityUseCases {
  readonly signUp: SignUp;
  readonly passwordSignIn: PasswordSignIn;
  readonly verification: AddressVerification;
  readonly passwordReset: PasswordReset;
  readonly ownPassword: OwnPassword;
  readonly addressChange: AddressChange;
  readonly invitations: Invitations;
}

export function createIdentity(ports: IdentityPorts, { answerStepMilliseconds, dashboard: { signUp: policy } }: IdentitySettings): IdentityUseCases {
  const { people, mailer, sessions, ids, clock, site, limits, passwords } = ports;
  const mails = new PersonMails({ people, mailer, ids, clock, site });
  const parts = { people, mails, clock, floor: new AnswerFloor(clock, answerStepMilliseconds), limits, passwords };
  return {
    signUp: new SignUp({ ...parts, policy }),
    passwordSignIn: new PasswordSignIn({ ...parts, sessions }),
    verification: new AddressVerification(parts),
    passwordReset: new PasswordReset(parts),
    ownPassword: new OwnPassword({ ...parts, sessions }),
    addressChange: new AddressChange(parts),
    invitations: new Invitations(parts),
  };
}
