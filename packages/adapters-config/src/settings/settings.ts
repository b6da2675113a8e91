import { dirname, join } from 'node:path';
import type { z } from 'zod';
import { DEFAULT_REQUEST_LIMITS, MILLISECONDS_PER_DAY, MILLISECONDS_PER_HOUR, type RequestLimits, type UpstreamTimeouts } from '@tollgate/core';
import { type DatabaseLocation, REASONING_STYLES, type RedisLocation } from './variable-schemas.js';
import type { Environment } from './environment-file.js';
import type { LOG_FORMATS, LOG_LEVELS } from './operation-variables.js';
import type { Variable } from './variable.js';
import { type VariableName, VARIABLES, type VariableValues } from './variables.js';
import {
  type DashboardSettings, dashboardSettings, issuerProblems, type MailDestination, mailDestinationOf, mailProblems,
} from './dashboard-settings.js';

/** Where the installation's secret comes from. */
export type SecretSource =
  | { readonly kind: 'value'; readonly secret: Uint8Array }
  | { readonly kind: 'file'; readonly path: string; readonly whenMissing: 'make' | 'refuse' }
  /** The database goes with its process, and so may the secret. */
  | { readonly kind: 'passing' }
  | { readonly kind: 'none' };

export interface SecretSettings {
  readonly source: SecretSource;
  /** The secret that is being replaced; `null` outside a rotation. */
  readonly previous: Uint8Array | null;
}

type SecretValues = Pick<VariableValues, 'SECRET' | 'SECRET_FILE' | 'SECRET_PREVIOUS' | 'DATABASE_URL'>;

const IN_MEMORY = ':memory:';
/** Beside the database file, in a folder that the gateway makes private. */
const DEFAULT_NAME = 'secret';

/** Settings that contradict each other; `null` when they do not. */
function secretProblem(values: SecretValues): string | null {
  if (values.SECRET !== null && values.SECRET_FILE !== null) return 'SECRET: must not be set together with SECRET_FILE';
  if (values.SECRET_PREVIOUS !== null && sourceOf(values).kind === 'none') return 'SECRET_PREVIOUS: must not be set without SECRET or SECRET_FILE';
  return null;
}

function secretSettings(values: SecretValues): SecretSettings {
  return { source: sourceOf(values), previous: values.SECRET_PREVIOUS };
}

/** Only where there is one gateway may it make the secret: several would make several. */
function sourceOf({ SECRET: secret, SECRET_FILE: file, DATABASE_URL: database }: SecretValues): SecretSource {
  if (secret !== null) return { kind: 'value', secret };
  if (database.kind === 'postgres') return file === null ? { kind: 'none' } : { kind: 'file', path: file, whenMissing: 'refuse' };
  if (file !== null) return { kind: 'file', path: file, whenMissing: 'make' };
  return database.path === IN_MEMORY ? { kind: 'passing' } : { kind: 'file', path: join(dirname(database.path), DEFAULT_NAME), whenMissing: 'make' };
}

type ServerKind = keyof typeof REASONING_STYLES;

/** A server that is asked for its models. */
export type UpstreamServer = {
  readonly [Kind in ServerKind]: {
    readonly kind: Kind;
    readonly baseUrl: string;
    readonly apiKey: string | null;
    readonly reasoningStyle: (typeof REASONING_STYLES)[Kind][number];
  }
}[ServerKind];

/** What the environment says, checked. */
export interface Settings {
  readonly port: number;
  readonly host: string;
  readonly database: DatabaseLocation;
  /** `null`: one that follows from the database and the address. */
  readonly outboxFile: string | null;
  readonly secret: SecretSettings;
  /** `null`: this process counts limits by itself. */
  readonly redis: RedisLocation | null;
  readonly catalogueFile: string | null;
  /** `null`: the file is read once. */
  readonly catalogueReloadMilliseconds: number | null;
  readonly upstream: UpstreamServer | null;
  readonly timeouts: UpstreamTimeouts;
  /** In force without a catalogue file. */
  readonly requestLimits: RequestLimits;
  /** Whether the program is compiled before it serves. */
  readonly warmUp: boolean;
  readonly shutdownDelayMilliseconds: number;
  readonly shutdownGraceMilliseconds: number;
  /** How long the headers of a stream wait for its first output; 0: as long as it takes. */
  readonly earlyHeadersMilliseconds: number;
  /** Of request bodies, from their headers until they are decoded. */
  readonly bodyBytesInFlight: number;
  /** Units; 0 is no limit. */
  readonly unbilledPerMinuteAccount: number;
  readonly unbilledPerMinuteAddress: number;
  /** Addresses and CIDR ranges; empty when no proxy is trusted. */
  readonly trustedProxies: readonly string[];
  /** Connections that clients may have open at a time, as far as the file descriptors allow. */
  readonly maxConnections: number;
  readonly maxConnectionsPerAddress: number;
  readonly dashboard: DashboardSettings;
  readonly mail: MailDestination;
  /** `null`: there is no listener for metrics. */
  readonly metrics: { readonly host: string; readonly port: number } | null;
  /** `null`: never. */
  readonly ledgerVerifyMilliseconds: number | null;
  /** From a request to delete an account until it is due. */
  readonly deletionGraceMilliseconds: number;
  /** Of replies of the responses format; 0 keeps none. */
  readonly responsesKeptMilliseconds: number;
  readonly logLevel: (typeof LOG_LEVELS)[number];
  readonly logFormat: (typeof LOG_FORMATS)[number];
  readonly mode: 'production' | 'development';
}

export type SettingsReading =
  | { readonly settings: Settings }
  /** One line each, beginning with the variable's name. */
  | { readonly problems: readonly string[] };

/** Reads all settings or tells everything that is wrong with them. A variable that is empty counts as left out. */
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
  const misfits = [styleProblem(values), secretProblem(values), ...mailProblems(values), ...issuerProblems(values)].filter((misfit) => misfit !== null);
  if (misfits.length > 0) return { problems: misfits };
  return { settings: settingsOf(values) };
}

type Entry = readonly [name: string, variable: Variable<z.ZodType, string | null>];

const ENTRIES: readonly Entry[] = Object.entries(VARIABLES);

/** The name under which an environment sets a variable; of two, the current one. */
function nameIn(environment: Environment, [name, { formerName = name }]: Entry): string {
  return textOf(environment, name) === null && textOf(environment, formerName) !== null ? formerName : name;
}

function textOf(environment: Environment, name: string): string | null {
  const text = environment[name]?.trim();
  return text === undefined || text === '' ? null : text;
}

/** A style of the other kind would be sent fields that its format does not know. */
function styleProblem({ UPSTREAM_KIND: kind, UPSTREAM_REASONING_STYLE: style }: VariableValues): string | null {
  const styles: readonly string[] = REASONING_STYLES[kind];
  return styles.includes(style) ? null : `UPSTREAM_REASONING_STYLE: must be one of ${styles.join(', ')} with UPSTREAM_KIND=${kind}`;
}

function upstreamOf(values: VariableValues): UpstreamServer | null {
  const { UPSTREAM_BASE_URL: baseUrl, UPSTREAM_KIND: kind, UPSTREAM_API_KEY: apiKey, UPSTREAM_REASONING_STYLE: reasoningStyle } = values;
  // That the style is one of the kind's has been checked.
  return baseUrl === null ? null : { kind, baseUrl, apiKey, reasoningStyle } as UpstreamServer;
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
    timeouts: {
      connectMilliseconds: values.UPSTREAM_CONNECT_TIMEOUT_SECONDS,
      firstByteMilliseconds: values.UPSTREAM_FIRST_BYTE_TIMEOUT_SECONDS,
      firstOutputMilliseconds: values.FIRST_OUTPUT_TIMEOUT_SECONDS,
      silenceMilliseconds: values.UPSTREAM_SILENCE_TIMEOUT_SECONDS,
      wholeMilliseconds: values.GENERATION_TIMEOUT_SECONDS,
    },
    requestLimits: { ...DEFAULT_REQUEST_LIMITS, messages: values.MAX_MESSAGES, tools: values.MAX_TOOLS },
    warmUp: values.WARM_UP === 'on',
    shutdownDelayMilliseconds: values.SHUTDOWN_DELAY_SECONDS,
    shutdownGraceMilliseconds: values.SHUTDOWN_GRACE_SECONDS,
    earlyHeadersMilliseconds: values.EARLY_HEADERS_SECONDS,
    bodyBytesInFlight: values.BODY_BYTES_IN_FLIGHT,
    unbilledPerMinuteAccount: values.UNBILLED_PER_MINUTE_ACCOUNT,
    unbilledPerMinuteAddress: values.UNBILLED_PER_MINUTE_ADDRESS,
    trustedProxies: values.TRUST_PROXY,
    maxConnections: values.MAX_CONNECTIONS,
    maxConnectionsPerAddress: values.MAX_CONNECTIONS_PER_ADDRESS,
    dashboard: dashboardSettings(values),
    mail: mailDestinationOf(values),
    metrics: values.METRICS_PORT === null ? null : { host: values.METRICS_HOST, port: values.METRICS_PORT },
    ledgerVerifyMilliseconds: values.LEDGER_VERIFY_SECONDS === 0 ? null : values.LEDGER_VERIFY_SECONDS,
    deletionGraceMilliseconds: values.DELETION_GRACE_DAYS * MILLISECONDS_PER_DAY,
    responsesKeptMilliseconds: values.RESPONSES_KEEP_HOURS * MILLISECONDS_PER_HOUR,
    logLevel: values.LOG_LEVEL,
    logFormat: values.LOG_FORMAT,
    mode: values.NODE_ENV === 'production' ? 'production' : 'development',
  };
}

/** The names of all variables, for documentation. */
export const VARIABLE_NAMES = Object.keys(VARIABLES) as readonly VariableName[];
