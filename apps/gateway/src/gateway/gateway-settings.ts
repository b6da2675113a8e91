import { type BrandSettings, type DashboardSettings, type Environment, readSettings, type Settings } from '@tollgate/adapters-config';
import { type AlertThreshold, MILLISECONDS_PER_MINUTE } from '@tollgate/core';
import { ANSWER_STEP_MILLISECONDS } from '@tollgate/identity';
import type { Logger } from 'pino';
import { REFUSAL_DELAY_MILLISECONDS } from '../http/reply/refusal-delay.js';
import { type ConnectionLimits, withinDescriptors } from '../http/server/connection-limits.js';
import { descriptorLimit } from '../http/server/descriptor-limit.js';
import type { ListenAddress } from '../http/server/listening.js';
import { SERVER_LIMITS, type ServerLimits } from '../http/server/create-server.js';
import { StartRefused } from '../http/server/start-refused.js';

export interface GatewaySettings {
  readonly host: string;
  /** 0 for any free port. */
  readonly port: number;
  /** Networks of proxies whose `X-Forwarded-For` is trusted. */
  readonly trustedProxies: readonly string[];
  /** Maximum units of unbilled work per minute; 0 for no limit. */
  readonly unbilledPerMinuteAccount: number;
  readonly unbilledPerMinuteAddress: number;
  /** Delay of refusals to clients with much unbilled work; 0 for none. */
  readonly refusalDelayMilliseconds: number;
  /** Replies that must not reveal whether an address has an account are delayed to a multiple of this time; 0 for no delay. */
  readonly answerStepMilliseconds: number;
  /** Maximum bytes of request bodies held at once, from their headers until they are decoded; bodies of at most 64 KiB may take as much again. */
  readonly bodyBytesInFlight: number;
  /** Time from the signal to stop until new work is refused. */
  readonly shutdownDelayMilliseconds: number;
  /** Maximum time that running requests may continue after the shutdown delay. */
  readonly shutdownGraceMilliseconds: number;
  /** Time after which reservations and running idempotency keys expire; those of running requests are prolonged. */
  readonly reservationLifetimeMilliseconds: number;
  /** Time after which a stream's headers are sent without output; `null` if they wait for the first output. */
  readonly earlyHeadersMilliseconds: number | null;
  readonly server: ServerLimits;
  readonly connections: ConnectionLimits;
  readonly dashboard: DashboardSettings;
  readonly brand: BrandSettings;
  /** Retention of stored responses; 0 stores none. */
  readonly responsesKeptMilliseconds: number;
  /** Time from the request for a deletion until the account is deleted. */
  readonly deletionGraceMilliseconds: number;
  /** `null` for no metrics. */
  readonly metrics: ListenAddress | null;
  /** Interval of the ledger's verifications; `null` for none. */
  readonly ledgerVerifyMilliseconds: number | null;
  /** Events, except the newest, are deleted this long after they happened. */
  readonly eventsKeptMilliseconds: number;
  /** Thresholds of accounts whose owner has chosen none. */
  readonly lowBalanceAlerts: readonly AlertThreshold[];
  /** Owners are notified of a rise of prices this long in advance. */
  readonly priceNoticeMilliseconds: number;
  /** In development, the first start creates a demo account. */
  readonly mode: 'production' | 'development';
}

/** Does not bound requests, which last as long as the time limits of their upstreams allow. */
const RESERVATION_LIFETIME_MILLISECONDS = 30 * MILLISECONDS_PER_MINUTE;

/** Throws `StartRefused` with the problems that `readSettings` reports. */
export function settingsFrom(environment: Environment): Settings {
  const reading = readSettings(environment);
  if ('problems' in reading) throw new StartRefused(reading.problems);
  return reading.settings;
}

export function gatewaySettings(settings: Settings, log: Logger): GatewaySettings {
  const { host, port, trustedProxies, bodyBytesInFlight, unbilledPerMinuteAccount, unbilledPerMinuteAddress, shutdownDelayMilliseconds, shutdownGraceMilliseconds } = settings;
  const { dashboard, brand, responsesKeptMilliseconds, deletionGraceMilliseconds, metrics, ledgerVerifyMilliseconds, eventsKeptMilliseconds, lowBalanceAlerts, priceNoticeMilliseconds, mode } = settings;
  return {
    host,
    port,
    trustedProxies,
    bodyBytesInFlight,
    unbilledPerMinuteAccount,
    unbilledPerMinuteAddress,
    refusalDelayMilliseconds: REFUSAL_DELAY_MILLISECONDS,
    answerStepMilliseconds: ANSWER_STEP_MILLISECONDS,
    shutdownDelayMilliseconds,
    shutdownGraceMilliseconds,
    earlyHeadersMilliseconds: settings.earlyHeadersMilliseconds === 0 ? null : settings.earlyHeadersMilliseconds,
    reservationLifetimeMilliseconds: RESERVATION_LIFETIME_MILLISECONDS,
    server: SERVER_LIMITS,
    connections: connectionLimits(settings, log),
    dashboard,
    brand,
    responsesKeptMilliseconds,
    deletionGraceMilliseconds,
    metrics,
    ledgerVerifyMilliseconds,
    eventsKeptMilliseconds,
    lowBalanceAlerts,
    priceNoticeMilliseconds,
    mode,
  };
}

const LOOPBACK = ['127.0.0.0/8', '::1'];

/** Exempts this machine and trusted proxies, because they represent many clients. */
function connectionLimits({ maxConnections, maxConnectionsPerAddress, trustedProxies }: Settings, log: Logger): ConnectionLimits {
  const wanted = { maximum: maxConnections, maximumPerAddress: maxConnectionsPerAddress, exemptNetworks: [...LOOPBACK, ...trustedProxies] };
  const descriptors = descriptorLimit();
  const limits = withinDescriptors(wanted, descriptors);
  if (limits !== wanted) log.warn({ maximum: limits.maximum, descriptors }, 'MAX_CONNECTIONS is lowered to 80 % of the file descriptors that this process may open');
  return { ...limits, descriptors };
}
