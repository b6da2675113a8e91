import type { ResolutionContext } from 'inversify';
import {
  AccountAdministration, AccountDeletion, AccountSearch, AccountStandings, AllAccountsUsage, AnswerFloor, AttemptLimits, Blocklist, FactorNotices, GenerationEstimates,
  KeyManagement, Operators, OwnDeletion, PersonMails, PlaygroundAccess, type SessionProofsParts, StoredFactors, StoredSessions,
} from '@tollgate/core';
import { MemoryCounter } from '@tollgate/adapters-memory/limits';
import { factorCodes } from '@tollgate/adapters-node';
import { AuthenticatorCodes } from '@tollgate/adapters-sign-in';
import { MailDelivery } from '../background/mail-delivery.js';
import { Reconciler } from '../background/reconciler.js';
import { createIdentity, SignInMethods } from '../dashboard/call/sign-in-methods.js';
import { PublicAddress } from '../dashboard/call/public-address.js';
import type { DashboardPorts } from '../dashboard/call/dashboard-ports.js';
import { lazyDashboard } from '../dashboard/lazy-dashboard.js';
import { serviceModule, type Services, services } from '../gateway/services.js';
import { JsonBodyReader } from '../http/body/json-body-reader.js';
import { UnbilledLimits } from '../http/middleware/authenticate.js';
import { LiveFeed } from '../live/live-feed.js';
import { RefusalCounts } from '../live/refusal-counts.js';

/** As deep below the folder of the apps in `src` as in `dist`. */
const BUILT_PAGES = new URL('../../../dashboard/dist/', import.meta.url);

function proofParts({ personRecords, factorRecords, passwordHasher, secretTokens, secret, settings }: Services, context: ResolutionContext): SessionProofsParts {
  return {
    people: personRecords, factors: factorRecords, hasher: passwordHasher, tokens: secretTokens, codes: secret === null ? null : factorCodes(secret, new AuthenticatorCodes()),
    notices: context.get(FactorNotices), secondFactor: settings.dashboard.secondFactor, cookie: context.get(PublicAddress).cookieForm,
  };
}

function dashboardPorts(named: Services, context: ResolutionContext): DashboardPorts {
  const { store, settings, people, accounts, catalogue, platform, keys, ledger, limiter, usage, clock, ids, log, mailer, generations, estimator } = named;
  const { deletionGraceMilliseconds, dashboard: rules } = settings;
  const [address, deletions, notices] = [context.get(PublicAddress), context.get(AccountDeletion), context.get(FactorNotices)];
  return {
    rules, address, people, accounts, catalogue, platform, keys, ledger, limiter, usage, clock, log, pages: named.dashboardPages, hasMailServer: named.configuration.mail.kind === 'smtp',
    identity: named.identity, sessions: named.sessions, secondFactors: named.secondFactors, attempts: context.get(AttemptLimits), auditTrail: store.auditTrail,
    signInMethods: new SignInMethods({ signupCredits: named.signupCredits, store, secret: named.secret, address, settings: rules, tokens: named.secretTokens, ids, notices }),
    ownDeletion: new OwnDeletion({ deletions, mailer, site: address, graceMilliseconds: deletionGraceMilliseconds }),
    keyManagement: context.get(KeyManagement), allUsage: context.get(AllAccountsUsage), unbilled: context.get(UnbilledLimits), bodies: context.get(JsonBodyReader),
    refusals: context.get(RefusalCounts),
    administration: {
      search: context.get(AccountSearch), lookups: store.lookups, accountAdministration: context.get(AccountAdministration), standings: context.get(AccountStandings), deletions,
      auditTrail: store.auditTrail, deletionGraceMilliseconds,
    },
    operations: {
      controls: named.controls, blocklist: context.get(Blocklist), upstreams: named.upstreams, reconciler: context.get(Reconciler), outbox: named.outbox, mailOutbox: named.mailOutbox,
      mailer, ids, live: context.get(LiveFeed),
    },
    playground: {
      access: new PlaygroundAccess({ keys, catalogue, ids, clock }), estimates: new GenerationEstimates({ catalogue, estimator, ledger }), ...generations,
    },
  };
}

/** People, their sessions, and the routes that they use with a browser. */
export const dashboardModule = serviceModule((make) => {
  make(PublicAddress, ({ settings }) => new PublicAddress(settings.dashboard));
  make(Operators, ({ personRecords, secretTokens, ids }) => new Operators({ records: personRecords, tokens: secretTokens, ids }));
  make(FactorNotices, ({ ids }, context) => {
    const [address, delivery] = [context.get(PublicAddress), context.get(MailDelivery)];
    return new FactorNotices({ ids, baseUrl: () => address.origin, onStored: () => delivery.wake() });
  });
  make(services.sessions, (named, context) => new StoredSessions({ ...proofParts(named, context), sessions: named.sessionRecords, ids: named.ids }));
  make(services.secondFactors, (named, context) => {
    const address = context.get(PublicAddress);
    return new StoredFactors({ ...proofParts(named, context), sessions: named.sessions, issuer: () => `Tollgate (${new URL(address.origin).hostname})` });
  });
  make(AttemptLimits, ({ clock, sharedCounter, secretTokens }) => new AttemptLimits({ own: new MemoryCounter(clock), shared: sharedCounter, tokens: secretTokens }));
  make(services.identity, ({ people, mailer, sessions, ids, clock, settings }, context) => {
    const mails = new PersonMails({ people, mailer, ids, clock, site: context.get(PublicAddress) });
    const floor = new AnswerFloor(clock, settings.answerStepMilliseconds);
    return createIdentity({ people, mails, sessions, clock, floor, limits: context.get(AttemptLimits) }, settings.dashboard.signUp);
  });
  make(services.dashboardPages, () => BUILT_PAGES);
  make(services.dashboard, (named, context) => lazyDashboard(dashboardPorts(named, context)));
});
