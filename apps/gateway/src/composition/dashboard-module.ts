import { MemoryCounter } from '@tollgate/adapters-memory/limits';
import { CommonPasswordList, factorCodes, HmacDeviceSigner } from '@tollgate/adapters-node';
import { AuthenticatorCodes } from '@tollgate/adapters-sign-in';
import {
  AccountAdministration, AccountDeletion, AccountStandings, AllAccountsUsage, Blocklist, GenerationEstimates, KeyManagement, PlaygroundAccess,
} from '@tollgate/core';
import {
  AccountSearch, AttemptLimits, FactorNotices, KnownDevices, LOOPBACK_DEVICE_COOKIE, Operators, OwnDeletion, PasswordRules, SECURE_DEVICE_COOKIE,
  type SessionProofsParts, SecondFactors, Sessions,
} from '@tollgate/identity';
import type { ResolutionContext } from 'inversify';
import { MailDelivery } from '../background/mail-delivery.js';
import { Reconciler } from '../background/reconciler.js';
import { createIdentity, type DashboardPorts, SignInMethods } from '../dashboard/call/dashboard-ports.js';
import { lazyDashboard } from '../gateway/app.js';
import { serviceModule, type Services, services } from '../gateway/services.js';
import { JsonBodyReader } from '../http/json-body-reader.js';
import { PublicAddress } from '../http/public-address.js';
import { UnbilledLimits } from '../http/unbilled-limits.js';
import { LiveFeed } from '../live/live-feed.js';
import { RefusalCounts } from '../live/refusal-counts.js';

/** As deep below the folder of the apps in `src` as in `dist`. */
const BUILT_PAGES = new URL('../../pages/', import.meta.url);

function proofParts({ personRecords, factorRecords, passwordHasher, secretTokens, secret, settings }: Services, context: ResolutionContext): SessionProofsParts {
  return {
    people: personRecords, factors: factorRecords, hasher: passwordHasher, tokens: secretTokens, codes: secret === null ? null : factorCodes(secret, new AuthenticatorCodes()),
    notices: context.get(FactorNotices), devices: context.get(KnownDevices), secondFactor: settings.dashboard.secondFactor, cookie: context.get(PublicAddress).cookieForm,
  };
}

function dashboardPorts(named: Services, context: ResolutionContext): DashboardPorts {
  const { store, settings, people, accounts, catalogue, platform, keys, ledger, limiter, usage, clock, ids, log, mailer, generations, estimator } = named;
  const { deletionGraceMilliseconds, dashboard: rules } = settings;
  const [address, deletions, notices] = [context.get(PublicAddress), context.get(AccountDeletion), context.get(FactorNotices)];
  return {
    rules, address, refusals: context.get(RefusalCounts), people, accounts, catalogue, platform, keys, ledger, limiter, usage, clock, log, pages: named.dashboardPages, hasMailServer: named.configuration.mail.kind === 'smtp',
    identity: named.identity, sessions: named.sessions, secondFactors: named.secondFactors, attempts: context.get(AttemptLimits), devices: context.get(KnownDevices), auditTrail: store.auditTrail,
    signInMethods: new SignInMethods({ signupCredits: named.signupCredits, store, secret: named.secret, address, settings: rules, tokens: named.secretTokens, ids, notices }),
    ownDeletion: new OwnDeletion({ deletions, mailer, site: address, graceMilliseconds: deletionGraceMilliseconds }),
    keyManagement: context.get(KeyManagement), allUsage: context.get(AllAccountsUsage), unbilled: context.get(UnbilledLimits), bodies: context.get(JsonBodyReader),
    administration: {
      search: context.get(AccountSearch), lookups: store.lookups, accountAdministration: context.get(AccountAdministration), standings: context.get(AccountStandings), deletions, deletionGraceMilliseconds,
    },
    operations: {
      controls: named.controls, blocklist: context.get(Blocklist), upstreams: named.upstreams, reconciler: context.get(Reconciler), outbox: named.outbox, mailOutbox: named.mailOutbox,
      mailer, ids, live: context.get(LiveFeed),
    },
    playground: { access: new PlaygroundAccess({ keys, catalogue, ids, clock }), estimates: new GenerationEstimates({ catalogue, estimator, ledger }), ...generations },
  };
}

/** People, their sessions, and the routes that they use with a browser. */
export const dashboardModule = serviceModule((make) => {
  make(PublicAddress, ({ settings }) => new PublicAddress(settings.dashboard));
  make(KnownDevices, ({ personRecords, secret }, context) => new KnownDevices({
    people: personRecords, signer: secret === null ? null : new HmacDeviceSigner(secret.keysFor('device')),
    cookie: context.get(PublicAddress).cookieForm.secure ? SECURE_DEVICE_COOKIE : LOOPBACK_DEVICE_COOKIE,
  }));
  make(Operators, ({ personRecords, secretTokens, ids }) => new Operators({ records: personRecords, tokens: secretTokens, ids }));
  make(FactorNotices, ({ ids }, context) => {
    const [address, delivery] = [context.get(PublicAddress), context.get(MailDelivery)];
    return new FactorNotices({ ids, baseUrl: () => address.origin, onStored: () => delivery.wake() });
  });
  make(services.sessions, (named, context) => new Sessions({ ...proofParts(named, context), sessions: named.sessionRecords, ids: named.ids }));
  make(services.secondFactors, (named, context) => {
    const address = context.get(PublicAddress);
    return new SecondFactors({ ...proofParts(named, context), sessions: named.sessions, issuer: () => `Tollgate (${new URL(address.origin).hostname})` });
  });
  make(AttemptLimits, ({ clock, sharedCounter, secretTokens }) => new AttemptLimits({ own: new MemoryCounter(clock), shared: sharedCounter, tokens: secretTokens }));
  make(PasswordRules, () => new PasswordRules(new CommonPasswordList()));
  make(services.identity, ({ people, mailer, sessions, ids, clock, settings }, context) =>
    createIdentity({ people, mailer, sessions, ids, clock, site: context.get(PublicAddress), limits: context.get(AttemptLimits), passwords: context.get(PasswordRules) }, settings));
  make(services.dashboardPages, () => BUILT_PAGES);
  make(services.dashboard, (named, context) => lazyDashboard(dashboardPorts(named, context)));
});
