import type {
  AccountRepository, AddressChange, AddressVerification, AllAccountsUsage, AttemptLimits, AuditTrail, Invitations, KeyManagement, OwnDeletion, OwnPassword, PasswordReset, PasswordSignIn,
  PersonDirectory, SecondFactorPolicy, SecondFactors, Sessions, SignUp, SignUpPolicy,
} from '@tollgate/core';
import type { Logger } from 'pino';
import type { JsonBodyReader } from '../../http/body/json-body-reader.js';
import type { UnbilledLimits } from '../../http/unbilled-limits.js';
import type { RefusalCounts } from '../../live/refusal-counts.js';
import type { AccountStatePorts } from '../../routes/account/account-state.js';
import type { AdministrationPorts } from './administration-ports.js';
import type { OperationPorts } from './operation-ports.js';
import type { PlaygroundPorts } from './playground-ports.js';
import type { PublicAddress } from './public-address.js';
import type { SignInMethods } from './sign-in-methods.js';

/** What the operator of the installation has set for the dashboard. */
export interface DashboardRules {
  readonly signUp: SignUpPolicy;
  readonly secondFactor: SecondFactorPolicy;
  /** How to get credit; `null`: the operator has not said. */
  readonly creditLine: string | null;
  /** Where operators may act from; empty: anywhere. */
  readonly operatorNetworks: readonly string[];
}

/** The ways in which a person comes in and keeps their identity. */
export interface IdentityUseCases {
  readonly signUp: SignUp;
  readonly passwordSignIn: PasswordSignIn;
  readonly verification: AddressVerification;
  readonly passwordReset: PasswordReset;
  readonly ownPassword: OwnPassword;
  readonly addressChange: AddressChange;
  readonly invitations: Invitations;
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
