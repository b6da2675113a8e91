import { ContainerModule, type ResolutionContext } from 'inversify';
import {
  AccountDeletion, AllAccountsUsage, AttemptLimits, FactorNotices, GenerationEstimates, KeyManagement, Operators, OwnDeletion, PAY_AS_YOU_GO, PlaygroundAccess, type SessionProofsParts, StoredFactors,
  StoredPeople, StoredSessions,
} from '@tollgate/core';
import { Argon2Hasher, factorCodes, RandomSecretTokens } from '@tollgate/adapters-node';
import { AuthenticatorCodes } from '@tollgate/adapters-sign-in';
import { MailDelivery } from '../background/mail-delivery.js';
import type { DashboardPorts, PlaygroundPorts } from '../dashboard/call/dashboard-ports.js';
import { PublicAddress } from '../dashboard/call/public-address.js';
import { SignInMethods } from '../dashboard/call/sign-in-methods.js';
import { lazyDashboard } from '../dashboard/lazy-dashboard.js';
import { RefusalCounts } from '../live/refusal-counts.js';
import { JsonBodyReader } from '../http/body/json-body-reader.js';
import { UnbilledLimits } from '../http/unbilled-limits.js';
import { openSignupCredits } from '../adapters/installation-secret.js';
import { services } from './services.js';

/** As deep below the folder of the apps in `src` as in `dist`. */
const BUILT_PAGES = new URL('../../../dashboard/dist/', import.meta.url);

function proofParts(context: ResolutionContext): SessionProofsParts {
  return {
    people: context.get(services.personRecords), factors: context.get(services.factorRecords), hasher: context.get(services.passwordHasher),
    tokens: context.get(services.secretTokens), codes: context.get(services.factorCodes), notices: context.get(FactorNotices),
    secondFactor: context.get(services.settings).dashboard.secondFactor, cookie: context.get(PublicAddress).cookieForm,
  };
}

function playgroundPorts(context: ResolutionContext): PlaygroundPorts {
  const [catalogue, keys, clock] = [context.get(services.catalogue), context.get(services.keys), context.get(services.clock)];
  return {
    access: new PlaygroundAccess({ keys, catalogue, ids: context.get(services.ids), clock }),
    estimates: new GenerationEstimates({ catalogue, estimator: context.get(services.estimator), ledger: context.get(services.ledger) }),
    chat: context.get(services.chatGenerations), messages: context.get(services.messagesGenerations),
  };
}

function dashboardPorts(context: ResolutionContext): DashboardPorts {
  return {
    identity: context.get(services.identity), signInMethods: context.get(SignInMethods), attempts: context.get(AttemptLimits), log: context.get(services.log),
    rules: context.get(services.settings).dashboard, address: context.get(PublicAddress), people: context.get(services.people), sessions: context.get(services.sessions),
    secondFactors: context.get(services.secondFactors), accounts: context.get(services.accounts), administration: context.get(services.administration),
    catalogue: context.get(services.catalogue), platform: context.get(services.platform),
    ownDeletion: context.get(OwnDeletion), auditTrail: context.get(services.store).auditTrail,
    keyManagement: context.get(KeyManagement), keys: context.get(services.keys), ledger: context.get(services.ledger), limiter: context.get(services.limiter),
    usage: context.get(services.usage), allUsage: context.get(AllAccountsUsage), unbilled: context.get(UnbilledLimits), bodies: context.get(JsonBodyReader), clock: context.get(services.clock),
    operations: context.get(services.operations), hasMailServer: context.get(services.configuration).mail.kind === 'smtp',
    refusals: context.get(RefusalCounts), playground: playgroundPorts(context),
    pages: context.get(services.dashboardPages),
  };
}

/** People, their sessions, and the routes that they use with a browser. */
export const dashboardModule = new ContainerModule(({ bind }) => {
  bind(services.passwordHasher).toDynamicValue(() => new Argon2Hasher());
  bind(services.secretTokens).toDynamicValue(() => new RandomSecretTokens());
  bind(PublicAddress).toDynamicValue((context) => new PublicAddress(context.get(services.settings).dashboard));
  bind(services.people).toDynamicValue((context) => new StoredPeople({
    records: context.get(services.personRecords), hasher: context.get(services.passwordHasher), tokens: context.get(services.secretTokens), ids: context.get(services.ids),
    signUp: context.get(services.settings).dashboard.signUp, planId: PAY_AS_YOU_GO, signupCredits: context.get(services.signupCredits),
  }));
  bind(services.signupCredits).toDynamicValue((context) => openSignupCredits(context.get(services.settings).dashboard, context.get(services.secret), context.get(services.log)));
  bind(OwnDeletion).toDynamicValue((context) => new OwnDeletion({
    deletions: context.get(AccountDeletion), mailer: context.get(services.mailer), site: context.get(PublicAddress),
    graceMilliseconds: context.get(services.settings).deletionGraceMilliseconds,
  }));
  bind(Operators).toDynamicValue((context) => new Operators({
    records: context.get(services.personRecords), tokens: context.get(services.secretTokens), ids: context.get(services.ids),
  }));
  bind(services.factorCodes).toDynamicValue((context) => {
    const secret = context.get(services.secret);
    return secret === null ? null : factorCodes(secret, new AuthenticatorCodes());
  });
  bind(FactorNotices).toDynamicValue((context) => {
    const [address, delivery] = [context.get(PublicAddress), context.get(MailDelivery)];
    return new FactorNotices({ ids: context.get(services.ids), baseUrl: () => address.origin, onStored: () => delivery.wake() });
  });
  bind(services.sessions).toDynamicValue((context) => new StoredSessions({
    ...proofParts(context), sessions: context.get(services.sessionRecords), ids: context.get(services.ids),
  }));
  bind(services.secondFactors).toDynamicValue((context) => {
    const address = context.get(PublicAddress);
    return new StoredFactors({ ...proofParts(context), sessions: context.get(services.sessions), issuer: () => `Tollgate (${new URL(address.origin).hostname})` });
  });
  bind(SignInMethods).toDynamicValue((context) => new SignInMethods({
    signupCredits: context.get(services.signupCredits),
    store: context.get(services.store), secret: context.get(services.secret), address: context.get(PublicAddress), settings: context.get(services.settings).dashboard,
    tokens: context.get(services.secretTokens), ids: context.get(services.ids), notices: context.get(FactorNotices),
  }));
  bind(services.dashboardPages).toConstantValue(BUILT_PAGES);
  bind(services.dashboard).toDynamicValue((context) => lazyDashboard(dashboardPorts(context)));
});
