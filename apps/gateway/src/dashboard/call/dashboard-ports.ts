import type {
  AccountAdministration, AccountDeletion, AccountRepository, AccountSearch, AccountStandings,
  AllAccountsUsage, AttemptLimits, AuditTrail, Blocklist, GenerationEstimates, IdGenerator, KeyManagement, Mailer, MailOutbox,
  OperatorControls, OperatorLookups, OwnDeletion, PersonDirectory, PlaygroundAccess,
  SecondFactorPolicy, SecondFactors, Sessions, SignUpPolicy,
} from '@tollgate/core';
import type { Logger } from 'pino';
import type { JsonBodyReader } from '../../http/json-body-reader.js';
import type { UnbilledLimits } from '../../http/middleware/authenticate.js';
import type { RefusalCounts } from '../../live/refusal-counts.js';
import type { AccountStatePorts } from '../../routes/account.js';
import type { IdentityUseCases, SignInMethods } from './sign-in-methods.js';
import type { PublicAddress } from '../../http/addresses.js';
import type { Reconciler } from '../../background/ledger-tasks.js';
import type { LiveFeed } from '../../live/live-feed.js';
import type { WaitingSettlements } from '../../observability/gateway-metrics.js';
import type { ObservedUpstreams } from '../../observability/upstream-health.js';
import type { GenerationHandler } from '../../routes/generation/generation-handler.js';

/** What the operator of the installation has set for the dashboard. */
export interface DashboardRules {
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
export interface OperationPorts {
  readonly controls: OperatorControls;
  readonly blocklist: Blocklist;
  readonly upstreams: ObservedUpstreams;
  readonly reconciler: Reconciler;
  /** `null` when no settlement ever waits. */
  readonly outbox: WaitingSettlements | null;
  readonly mailOutbox: MailOutbox;
  readonly mailer: Mailer;
  readonly ids: IdGenerator;
  readonly live: LiveFeed;
}

/** What the routes of the playground work with: the handlers of `/v1`, and the key that they are called by. */
export interface PlaygroundPorts {
  readonly access: PlaygroundAccess;
  readonly chat: GenerationHandler;
  readonly messages: GenerationHandler;
  readonly estimates: GenerationEstimates;
}
