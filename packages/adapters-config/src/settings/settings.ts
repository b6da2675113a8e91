import { dirname, join } from 'node:path';
import type { z } from 'zod';
import { type AlertThreshold, DEFAULT_REQUEST_LIMITS, MILLISECONDS_PER_DAY, MILLISECONDS_PER_HOUR, type RequestLimits, type StatementIssuer, type UpstreamTimeouts } from '@tollgate/core';
import type { MailTemplates } from '@tollgate/identity';
import type { DatabaseLocation } from './database-location.js';
import { REASONING_STYLES } from './server-kinds.js';
import type { RedisLocation } from './redis-location.js';
import type { Environment } from './environment-file.js';
import type { LOG_FORMATS, LOG_LEVELS } from './operation-variables.js';
import type { Variable } from './variable.js';
import { type VariableName, VARIABLES, type VariableValues } from './variables.js';
import { paymentProblem, type PaymentSettings, paymentSettings } from './payment-settings.js';
import { brandProblem, type BrandSettings, brandSettings, givenName } from './brand-settings.js';
import { type DashboardSettings, dashboardSettings } from './dashboard-settings.js';
import { issuerProblems } from './issuer-settings.js';
import { type MailDestination, mailDestinationOf, mailProblems } from './mail-settings.js';

export type SecretSource =
  | { readonly kind: 'value'; readonly secret: Uint8Array }
  | { readonly kind: 'file'; readonly path: string; readonly whenMissing: 'make' | 'refuse' }
  /** A secret for this process only, with a database in memory. */
  | { readonly kind: 'passing' }
  | { readonly kind: 'none' };

export interface SecretSettings {
  readonly source: SecretSource;
  /** The previous secret during a rotation; otherwise `null`. */
  readonly previous: Uint8Array | null;
}

type SecretValues = Pick<VariableValues, 'SECRET' | 'SECRET_FILE' | 'SECRET_PREVIOUS' | 'DATABASE_URL'>;

const IN_MEMORY = ':memory:';
/** Name of the default secret file, in the folder of the database file. */
const DEFAULT_NAME = 'secret';

/** `null` if the values do not contradict each other. */
function secretProblem(values: SecretValues): string | null {
  if (values.SECRET !== null && values.SECRET_FILE !== null) return 'SECRET: must not be set together with SECRET_FILE';
  if (values.SECRET_PREVIOUS !== null && sourceOf(values).kind === 'none') return 'SECRET_PREVIOUS: must not be set without SECRET or SECRET_FILE';
  return null;
}

function secretSettings(values: SecretValues): SecretSettings {
  return { source: sourceOf(values), previous: values.SECRET_PREVIOUS };
}

/** A secret file is created only for a single gateway: several gateways would create different secrets. */
function sourceOf({ SECRET: secret, SECRET_FILE: file, DATABASE_URL: database }: SecretValues): SecretSource {
  if (secret !== null) return { kind: 'value', secret };
  if (database.kind === 'postgres') return file === null ? { kind: 'none' } : { kind: 'file', path: file, whenMissing: 'refuse' };
  if (file !== null) return { kind: 'file', path: file, whenMissing: 'make' };
  return database.path === IN_MEMORY ? { kind: 'passing' } : { kind: 'file', path: join(dirname(database.path), DEFAULT_NAME), whenMissing: 'make' };
}

type ServerKind = keyof typeof REASONING_STYLES;

/** A server whose models are discovered. */
export type UpstreamServer = {
  readonly [Kind in ServerKind]: {
    readonly kind: Kind;
    readonly baseUrl: string;
    readonly apiKey: string | null;
    readonly reasoningStyle: (typeof REASONING_STYLES)[Kind][number];
  }
}[ServerKind];

/** Settings that have been validated. */
export interface Settings {
  readonly port: number;
  readonly host: string;
  readonly database: DatabaseLocation;
  /** `null` if the name is derived from the database and the listening address. */
  readonly outboxFile: string | null;
  readonly secret: SecretSettings;
  /** `null` if this process counts limits by itself. */
  readonly redis: RedisLocation | null;
  readonly catalogueFile: string | null;
  /** `null` reads the file once. */
  readonly catalogueReloadMilliseconds: number | null;
  readonly upstream: UpstreamServer | null;
  readonly timeouts: UpstreamTimeouts;
  /** Limits that apply without a catalogue file. */
  readonly requestLimits: RequestLimits;
  readonly shutdownDelayMilliseconds: number;
  readonly shutdownGraceMilliseconds: number;
  /** Time after which the headers of a stream are sent although there is no output yet. With 0 they wait for the output without limit. */
  readonly earlyHeadersMilliseconds: number;
  /**
   * Maximum total bytes of request bodies, each counted from its headers until it is decoded. Bodies of at most 64 KiB may take as much in addition.
   */
  readonly bodyBytesInFlight: number;
  /** Units of unbilled work per minute; 0 is no limit. */
  readonly unbilledPerMinuteAccount: number;
  readonly unbilledPerMinuteAddress: number;
  /** Addresses and CIDR ranges; empty trusts none. */
  readonly trustedProxies: readonly string[];
  /** Maximum client connections. The process's file descriptors may bound them further. */
  readonly maxConnections: number;
  readonly maxConnectionsPerAddress: number;
  readonly dashboard: DashboardSettings;
  /** True if machines may get the scope `keys:write`. */
  readonly adminKeys: boolean;
  readonly brand: BrandSettings;
  readonly payments: PaymentSettings;
  readonly mail: MailDestination;
  /** The operator's texts of messages, which replace the built-in ones. */
  readonly mailTemplates: MailTemplates;
  /** `null` for no metrics. */
  readonly metrics: { readonly host: string; readonly port: number } | null;
  /** Interval between audits of the ledger; `null` for none. */
  readonly ledgerVerifyMilliseconds: number | null;
  /** Time from the request to delete an account until its deletion. */
  readonly deletionGraceMilliseconds: number;
  /** How long responses are stored; 0 stores none. */
  readonly responsesKeptMilliseconds: number;
  /** Events, except the newest, are deleted this long after they happened. */
  readonly eventsKeptMilliseconds: number;
  readonly lowBalanceAlerts: readonly AlertThreshold[];
  readonly priceNoticeMilliseconds: number;
  /** Networks, in addition to public addresses, to which owners' webhooks may be sent. */
  readonly webhookNetworks: readonly string[];
  /** Printed on monthly statements. */
  readonly statementIssuer: StatementIssuer;
  readonly logLevel: (typeof LOG_LEVELS)[number];
  readonly logFormat: (typeof LOG_FORMATS)[number];
  readonly mode: 'production' | 'development';
}

export type SettingsReading =
  | { readonly settings: Settings }
  /** Problems, one line each, beginning with the variable's name. */
  | { readonly problems: readonly string[] };

/** Reports the problems of all variables or, if there are none, all contradictions between variables. An empty variable counts as unset. */
export function readSettings(environment: Environment): SettingsReading {
  const readings = ENTRIES.map(([name, variable]) => {
    const written = nameIn(environment, [name, variable]);
    const text = textOf(environment, written) ?? variable.default;
    return { name, written, reading: text === null ? { success: true as const, data: null } : variable.schema.safeParse(text) };
  });
  const problems = readings.flatMap(({ written, reading }) =>
    reading.success ? [] : reading.error.issues.map(({ message }) => `${written}: ${message}`));
  if (problems.length > 0) return { problems };
  const values = Object.fromEntries(readings.map(({ name, reading }) => [name, reading.data])) as unknown as VariableValues;
  const misfits = [styleProblem(values), secretProblem(values), ...mailProblems(values), paymentProblem(values), brandProblem(values), ...issuerProblems(values)].filter((misfit) => misfit !== null);
  if (misfits.length > 0) return { problems: misfits };
  return { settings: settingsOf(values) };
}

type Entry = readonly [name: string, variable: Variable<z.ZodType, string | null>];

const ENTRIES: readonly Entry[] = Object.entries(VARIABLES);

/** The former name of a variable if only that is set, otherwise its current name. */
function nameIn(environment: Environment, [name, { formerName = name }]: Entry): string {
  return textOf(environment, name) === null && textOf(environment, formerName) !== null ? formerName : name;
}

function textOf(environment: Environment, name: string): string | null {
  const text = environment[name]?.trim();
  return text === undefined || text === '' ? null : text;
}

/** Refuses a reasoning style that would send fields unknown to this kind of upstream. `null` if the style fits. */
function styleProblem({ UPSTREAM_KIND: kind, UPSTREAM_REASONING_STYLE: style }: VariableValues): string | null {
  const styles: readonly string[] = REASONING_STYLES[kind];
  return styles.includes(style) ? null : `UPSTREAM_REASONING_STYLE: must be one of ${styles.join(', ')} with UPSTREAM_KIND=${kind}`;
}

function upstreamOf(values: VariableValues): UpstreamServer | null {
  const { UPSTREAM_BASE_URL: baseUrl, UPSTREAM_KIND: kind, UPSTREAM_API_KEY: apiKey, UPSTREAM_REASONING_STYLE: reasoningStyle } = values;
  // The style was validated against the kind.
  return baseUrl === null ? null : { kind, baseUrl, apiKey, reasoningStyle } as UpstreamServer;
}

function timeoutsOf(values: VariableValues): UpstreamTimeouts {
  return {
    connectMilliseconds: values.UPSTREAM_CONNECT_TIMEOUT_SECONDS,
    firstByteMilliseconds: values.UPSTREAM_FIRST_BYTE_TIMEOUT_SECONDS,
    firstOutputMilliseconds: values.FIRST_OUTPUT_TIMEOUT_SECONDS,
    silenceMilliseconds: values.UPSTREAM_SILENCE_TIMEOUT_SECONDS,
    wholeMilliseconds: values.GENERATION_TIMEOUT_SECONDS,
  };
}

function connectionsOf(values: VariableValues): Pick<Settings, 'trustedProxies' | 'maxConnections' | 'maxConnectionsPerAddress'> {
  return { trustedProxies: values.TRUST_PROXY, maxConnections: values.MAX_CONNECTIONS, maxConnectionsPerAddress: values.MAX_CONNECTIONS_PER_ADDRESS };
}

function mailOf(values: VariableValues): Pick<Settings, 'mail' | 'mailTemplates'> {
  return { mail: mailDestinationOf(values), mailTemplates: values.MAIL_TEMPLATES ?? new Map() };
}

function settingsOf(values: VariableValues): Settings {
  return {
    port: values.PORT,
    host: values.HOST,
    database: values.DATABASE_URL,
    outboxFile: values.OUTBOX_FILE,
    secret: secretSettings(values),
    redis: values.REDIS_URL,
    catalogueFile: values.CATALOG_FILE,
    catalogueReloadMilliseconds: values.CATALOG_RELOAD_SECONDS === 0 ? null : values.CATALOG_RELOAD_SECONDS,
    upstream: upstreamOf(values),
    timeouts: timeoutsOf(values),
    requestLimits: { ...DEFAULT_REQUEST_LIMITS, messages: values.MAX_MESSAGES, tools: values.MAX_TOOLS },
    shutdownDelayMilliseconds: values.SHUTDOWN_DELAY_SECONDS,
    shutdownGraceMilliseconds: values.SHUTDOWN_GRACE_SECONDS,
    earlyHeadersMilliseconds: values.EARLY_HEADERS_SECONDS,
    bodyBytesInFlight: values.BODY_BYTES_IN_FLIGHT,
    unbilledPerMinuteAccount: values.UNBILLED_PER_MINUTE_ACCOUNT,
    unbilledPerMinuteAddress: values.UNBILLED_PER_MINUTE_ADDRESS,
    ...connectionsOf(values),
    dashboard: dashboardSettings(values),
    adminKeys: values.ADMIN_KEYS === 'on',
    brand: brandSettings(values),
    payments: paymentSettings(values),
    ...mailOf(values),
    metrics: values.METRICS_PORT === null ? null : { host: values.METRICS_HOST, port: values.METRICS_PORT },
    ledgerVerifyMilliseconds: values.LEDGER_VERIFY_SECONDS === 0 ? null : values.LEDGER_VERIFY_SECONDS,
    deletionGraceMilliseconds: values.DELETION_GRACE_DAYS * MILLISECONDS_PER_DAY,
    responsesKeptMilliseconds: values.RESPONSES_KEEP_HOURS * MILLISECONDS_PER_HOUR,
    eventsKeptMilliseconds: values.EVENTS_KEEP_DAYS * MILLISECONDS_PER_DAY,
    lowBalanceAlerts: values.LOW_BALANCE_ALERTS,
    priceNoticeMilliseconds: values.PRICE_NOTICE_DAYS * MILLISECONDS_PER_DAY,
    webhookNetworks: values.WEBHOOK_NETWORKS,
    statementIssuer: { name: values.OPERATOR_NAME ?? givenName(values), address: values.OPERATOR_ADDRESS, tax_number: values.OPERATOR_TAX_NUMBER },
    logLevel: values.LOG_LEVEL,
    logFormat: values.LOG_FORMAT,
    mode: values.NODE_ENV === 'production' ? 'production' : 'development',
  };
}

/** Names of all variables, for tests of the documentation. */
export const VARIABLE_NAMES = Object.keys(VARIABLES) as readonly VariableName[];
