import { serviceModule } from '@tollgate/composition';
import { UpstreamSockets } from '@tollgate/adapters-upstream';
import { Authenticator, TokenCounting } from '@tollgate/core';
import { chatFormat } from '@tollgate/wire-chat';
import { LeaseKeeper } from '../background/lease-keeper.js';
import { createApp } from '../gateway/app.js';
import { AccountFunds } from '../http/account-funds.js';
import { BodyBudget } from '../http/body-budget.js';
import { DiscardPace } from '../http/discard-pace.js';
import { JsonBodyReader } from '../http/json-body-reader.js';
import { PublicAddress } from '../http/public-address.js';
import { DatabaseOutage } from '../http/reply/database-outage.js';
import { ErrorReply } from '../http/reply/error-reply.js';
import { RefusalDelay } from '../http/reply/refusal-delay.js';
import { AdmissionGate } from '../http/admission-gate.js';
import { RunningExchanges } from '../http/running-exchanges.js';
import { createServer } from '../http/server/create-server.js';
import { NetworkShares } from '../http/server/network-shares.js';
import { UnbilledLimits } from '../http/unbilled-limits.js';
import { LiveTraffic } from '../live/live-traffic.js';
import { RefusalCounts } from '../live/refusal-counts.js';
import { BodyHealth } from '../observability/body-health.js';
import { ConnectionHealth } from '../observability/connection-health.js';
import { RequestLimitLog } from '../observability/request-limit-log.js';
import { RequestLog } from '../observability/request-log.js';
import { StoredLoads } from '../routes/generation/stored-loads.js';
import { openApiRoute } from '../routes/openapi.js';
import { rootRoute } from '../routes/root.js';
import { services } from './services.js';

const {
  settings, ids, clock, elapsed, log, platform, catalogue, ledger, outbox, limiter, sharedCounter, usage, keys, responses, formats, traffic, generations, requestObservers, dashboard, admin, app,
} = services;

export const httpModule = serviceModule((make) => {
  make(PublicAddress, { settings }, (parts) => new PublicAddress(parts.settings.dashboard));
  make(UnbilledLimits, { shared: sharedCounter, clock, log, settings }, (parts) => new UnbilledLimits(parts, parts.settings));
  make(RefusalDelay, { clock, settings }, (parts) => new RefusalDelay(parts.clock, parts.settings.refusalDelayMilliseconds));
  make(AccountFunds, { ledger, catalogue, clock }, (parts) => new AccountFunds(parts));
  make(BodyBudget, { settings, clock, funds: AccountFunds, report: BodyHealth }, (parts) => new BodyBudget(parts.settings.bodyBytesInFlight, parts));
  make(JsonBodyReader, { budget: BodyBudget, clock, elapsed }, (parts) => new JsonBodyReader(parts));
  make(DiscardPace, { clock }, (parts) => new DiscardPace(parts.clock));
  make(ErrorReply, { limiter, log, delay: RefusalDelay, outage: DatabaseOutage, requestLimits: RequestLimitLog }, (parts) => new ErrorReply(parts));
  make(requestObservers, { traffic, live: LiveTraffic, refusals: RefusalCounts, requestLog: RequestLog }, (parts) =>
    [...(parts.traffic === null ? [] : [parts.traffic]), parts.live, parts.refusals, parts.requestLog]);
  make(services.root, { unbilled: UnbilledLimits, address: PublicAddress, settings }, (parts) => rootRoute({ ...parts, brand: parts.settings.brand }));
  make(services.openApi, { unbilled: UnbilledLimits, address: PublicAddress, settings }, (parts) => openApiRoute({ ...parts, brand: parts.settings.brand }));
  make(
    app,
    {
      ids, clock, formats, exchanges: RunningExchanges, gate: AdmissionGate, shares: NetworkShares, settings, discards: DiscardPace, observers: requestObservers,
      authenticator: Authenticator, unbilled: UnbilledLimits, platform,
      leaseKeeper: LeaseKeeper, budget: BodyBudget, outbox, catalogue,
      generations, counting: TokenCounting, responses, loads: StoredLoads, bodies: JsonBodyReader, ledger, limiter, usage, keys,
      paymentNotifications: services.paymentNotifications, root: services.root, openApi: services.openApi, dashboard, admin, errors: ErrorReply, delay: RefusalDelay,
    },
    ({ settings: { trustedProxies }, ...parts }) => createApp({ ...parts, context: { ...parts, trustedProxies }, callers: parts, health: parts, endpoints: parts }),
  );
  make(
    services.server,
    { app, settings, ids, clock, log, exchanges: RunningExchanges, connectionReport: ConnectionHealth, upstreamSockets: UpstreamSockets, shares: NetworkShares },
    (parts) => createServer(parts.app, parts.settings, { ...parts, errorFormat: chatFormat, lastReplyOn: (socket) => parts.exchanges.lastReplyOn(socket) }),
  );
});
