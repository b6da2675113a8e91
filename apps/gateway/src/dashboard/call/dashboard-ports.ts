import type { CreditRecords,
  AccountAdministration, AccountDeletion, AccountNotes, AccountRepository, AccountStandings, AllAccountsUsage, AuditTrail, BalanceAlerts, Blocklist, GenerationEstimates,
  AutomaticTopUps, IdGenerator, KeyManagement, OperatorControls, OperatorLookups, PaymentCounts, PaymentDesk, PlaygroundAccess, SimulatedPayments, Statements, Vouchers,
} from '@tollgate/core';
import type {
  AddressChange, AddressHashes, AlertRecords, AddressVerification, AttemptLimits, Consents, IdentityIdGenerator, Invitations, KnownDevices, Machines, Mailer, MailOutbox, MailResends, MailSite, OwnDeletion, OwnerAddresses,
  OwnPassword, PasswordReset, PasswordSignIn, PersonDirectory, SecondFactorPolicy, SecondFactors, Sessions, SignUp, SignUpPolicy, Webhooks,
} from '@tollgate/identity';
import type { Logger } from 'pino';
import type { PaymentReconciler } from '../../background/payment-reconciler.js';
import type { Reconciler } from '../../background/reconciler.js';
import type { JsonBodyReader } from '../../http/json-body-reader.js';
import type { PublicAddress } from '../../http/public-address.js';
import type { UnbilledLimits } from '../../http/unbilled-limits.js';
import type { LiveFeed } from '../../live/live-feed.js';
import type { RefusalCounts } from '../../live/refusal-counts.js';
import type { WaitingSettlements } from '../../observability/state-metrics.js';
import type { ObservedUpstreams } from '../../observability/upstream-metrics.js';
import type { AccountStatePorts } from '../../routes/account-state.js';
import type { GenerationHandler } from '../../routes/generation/generation-handler.js';
import type { Brand } from '../brand/brand.js';
import type { SignInMethods } from './sign-in-methods.js';

interface DashboardRules {
  readonly signUp: SignUpPolicy;
  readonly secondFactor: SecondFactorPolicy;
  /** Value of `CREDIT_LINE`: how owners get credit; `null` if it is not set. */
  readonly creditLine: string | null;
  /** Networks from which operators may act; empty for any. */
  readonly operatorNetworks: readonly string[];
}

export interface DashboardPorts extends AccountStatePorts {
  readonly address: PublicAddress;
  readonly rules: DashboardRules;
  /** False if mail is written to a folder. */
  readonly hasMailServer: boolean;
  readonly people: PersonDirectory;
  readonly consents: Consents;
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
  readonly alerts: BalanceAlerts;
  readonly alertRecords: AlertRecords;
  readonly machines: Machines;
  readonly keyManagement: KeyManagement;
  readonly webhooks: Webhooks;
  readonly vouchers: Vouchers;
  readonly statements: Statements;
  /** Recognises mailboxes; `null` without the installation's secret. */
  readonly mailboxes: AddressHashes | null;
  readonly unbilled: UnbilledLimits;
  readonly bodies: JsonBodyReader;
  readonly log: Logger;
  readonly operations: OperationPorts;
  readonly refusals: RefusalCounts;
  readonly playground: PlaygroundPorts;
  /** Folder of the built pages, which may be missing. */
  readonly pages: URL;
  readonly brand: Brand;
  readonly payments: PaymentPorts;
  readonly topUps: AutomaticTopUps;
  readonly credits: Pick<CreditRecords, 'list'>;
}

export interface PaymentPorts {
  readonly desk: PaymentDesk;
  readonly counts: () => Promise<PaymentCounts>;
  readonly reconciler: Pick<PaymentReconciler, 'checkedAt' | 'failedAt'>;
  /** `null` unless payments are simulated. */
  readonly simulated: SimulatedPayments | null;
}

/** Use cases of operators, shared with the command line. */
export interface AdministrationPorts {
  readonly lookups: OperatorLookups;
  readonly accountAdministration: AccountAdministration;
  readonly standings: AccountStandings;
  readonly deletions: AccountDeletion;
  readonly addresses: OwnerAddresses;
  readonly notes: AccountNotes;
  /** Time from the request for a deletion until the account is deleted. */
  readonly deletionGraceMilliseconds: number;
}

export interface OperationPorts {
  readonly controls: OperatorControls;
  readonly blocklist: Blocklist;
  readonly upstreams: ObservedUpstreams;
  readonly reconciler: Reconciler;
  readonly outbox: WaitingSettlements;
  readonly mailOutbox: MailOutbox;
  readonly mailer: Mailer;
  readonly mailResends: MailResends;
  readonly mailSite: () => MailSite;
  readonly ids: Pick<IdGenerator, 'responseId'> & IdentityIdGenerator;
  readonly live: LiveFeed;
}

/** Handlers of `/v1`, and the playground's key. */
export interface PlaygroundPorts {
  readonly access: PlaygroundAccess;
  readonly chat: GenerationHandler;
  readonly messages: GenerationHandler;
  readonly responses: GenerationHandler;
  readonly estimates: GenerationEstimates;
}

export interface IdentityUseCases {
  readonly signUp: SignUp;
  readonly passwordSignIn: PasswordSignIn;
  readonly verification: AddressVerification;
  readonly passwordReset: PasswordReset;
  readonly ownPassword: OwnPassword;
  readonly addressChange: AddressChange;
  readonly invitations: Invitations;
}
