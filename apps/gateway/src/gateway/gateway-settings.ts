import { type DashboardSettings, type Environment, readSettings, type Settings } from '@tollgate/adapters-config';
import { MILLISECONDS_PER_MINUTE } from '@tollgate/core';
import { ANSWER_STEP_MILLISECONDS } from '@tollgate/identity';
import type { Logger } from 'pino';
import { REFUSAL_DELAY_MILLISECONDS } from '../http/reply/refusal-delay.js';
import { type ConnectionLimits, descriptorLimit, withinDescriptors } from '../http/server/connection-limits.js';
import { type ListenAddress, SERVER_LIMITS, type ServerLimits, StartRefused } from '../http/server/create-server.js';

export interface GatewaySettings {
  readonly host: string;
  /** 0 takes any free port. */
  readonly port: number;
  /** Networks of proxies whose `X-Forwarded-For` is trusted. */
  readonly trustedProxies: readonly string[];
  /** Units of work that is not billed, a minute and account, and a minute and address; 0 is no limit. */
  readonly unbilledPerMinuteAccount: number;
  readonly unbilledPerMinuteAddress: number;
  /** How long refusals of clients that cause much unbilled work wait; 0: not at all. */
  readonly refusalDelayMilliseconds: number;
  /** Answers that must not tell whether an address is known leave at multiples of this after their request; 0: at once. */
  readonly answerStepMilliseconds: number;
  /** Bytes of request bodies between their headers and their decoding. */
  readonly bodyBytesInFlight: number;
  /** From the signal until no more work is taken on. */
  readonly shutdownDelayMilliseconds: number;
  /** How long running requests may go on from then. */
  readonly shutdownGraceMilliseconds: number;
  /** Longer than any generation may last. */
  readonly reservationLifetimeMilliseconds: number;
  /** `null`: the headers of a stream wait for its first output. */
  readonly earlyHeadersMilliseconds: number | null;
  readonly server: ServerLimits;
  readonly connections: ConnectionLimits;
  readonly dashboard: DashboardSettings;
  /** How long responses are stored; 0: not at all. */
  readonly responsesKeptMilliseconds: number;
  /** From a request for the deletion of an account until it is due. */
  readonly deletionGraceMilliseconds: number;
  /** Where `GET /metrics` is answered; `null`: nowhere, and nothing is measured. */
  readonly metrics: ListenAddress | null;
  /** How often the books are recomputed; `null`: never. */
  readonly ledgerVerifyMilliseconds: number | null;
  /** In development, the first start makes an account to try things out with. */
  readonly mode: 'production' | 'development';
}

/** The settings that an environment states. Throws `StartRefused` with every problem. */
export function settingsFrom(environment: Environment): Settings {
  const reading = readSettings(environment);
  if ('problems' in reading) throw new StartRefused(reading.problems);
  return reading.settings;
}

/** The settings of the HTTP side, derived from what the environment says. */
export function gatewaySettings(settings: Settings, log: Logger): GatewaySettings {
  const { host, port, trustedProxies, bodyBytesInFlight, unbilledPerMinuteAccount, unbilledPerMinuteAddress, shutdownDelayMilliseconds, shutdownGraceMilliseconds } = settings;
  const { timeouts, dashboard, responsesKeptMilliseconds, deletionGraceMilliseconds, metrics, ledgerVerifyMilliseconds, mode } = settings;
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
    // One generation after all candidates before it have timed out, with room to spare.
    reservationLifetimeMilliseconds: 2 * timeouts.wholeMilliseconds + MILLISECONDS_PER_MINUTE,
    server: SERVER_LIMITS,
    connections: connectionLimits(settings, log),
    dashboard,
    responsesKeptMilliseconds,
    deletionGraceMilliseconds,
    metrics,
    ledgerVerifyMilliseconds,
    mode,
  };
}

const LOOPBACK = ['127.0.0.0/8', '::1'];

/** Peers that may open any number of connections: this machine, and proxies that stand for many clients. */
function connectionLimits({ maxConnections, maxConnectionsPerAddress, trustedProxies }: Settings, log: Logger): ConnectionLimits {
  const wanted = { maximum: maxConnections, maximumPerAddress: maxConnectionsPerAddress, exemptNetworks: [...LOOPBACK, ...trustedProxies] };
  const descriptors = descriptorLimit();
  const limits = withinDescriptors(wanted, descriptors);
  if (limits !== wanted) log.warn({ maximum: limits.maximum, descriptors }, 'MAX_CONNECTIONS is lowered to 80 % of the file descriptors that this process may open');
  return { ...limits, descriptors };
}
