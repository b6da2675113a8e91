import { z } from 'zod';
import { DEFAULT_REQUEST_LIMITS, GREATEST_REQUEST_LIMITS } from '@tollgate/core';
import {
  credit, creditLine, databaseLocation, hostList, hostName, httpAddress, networkList, portNumber, publicOrigin, redisLocation, seconds,
  ALL_REASONING_STYLES, SERVER_KINDS, wholeNumber,
} from './variable-schemas.js';
import { issuerUrl, mailSender, SECOND_FACTOR_POLICIES, SIGN_UP_POLICIES, SMTP_SECURITIES } from './dashboard-settings.js';
import { secretText } from './secret-file.js';
import { variable } from './variable.js';

const SWITCH = ['on', 'off'] as const;

export const LOG_FORMATS = ['auto', 'json', 'pretty'] as const;

export const LOG_LEVELS = ['fatal', 'error', 'warn', 'info', 'debug', 'trace', 'silent'] as const;

/** Every variable that Tollgate reads, in the order of the documentation; `.env.example` and `docs/configuration.md` are tested against it. */
export const VARIABLES = {
  PORT: variable(portNumber, { default: '8080', unit: null, meaning: 'Port to listen on. 0 takes a free one.' }),
  HOST: variable(hostName, {
    default: '127.0.0.1', unit: null, meaning: 'Address to listen on. 0.0.0.0 or :: accepts connections from other machines.',
  }),
  PUBLIC_URL: variable(publicOrigin, {
    default: null, unit: null,
    meaning: 'The address at which browsers reach the gateway, such as https://api.example.com: the origin of the dashboard, of its cookies, passkeys and the links in mail. Without it http://localhost:PORT.',
  }),
  DASHBOARD_HOSTS: variable(hostList, {
    default: null, unit: null,
    meaning: 'Further host names, with their ports if these are not the default, under which the dashboard is served, separated by commas. Requests under other names are refused with wrong_host.',
  }),
  SIGN_UP: variable(z.enum(SIGN_UP_POLICIES, { error: `must be one of ${SIGN_UP_POLICIES.join(', ')}` }), {
    default: null, unit: null,
    meaning: 'Who may open an account: open, anyone; invitation, people whom an operator invites; closed, no one. Without it open, and invitation with NODE_ENV=production.',
  }),
  SIGNUP_CREDIT: variable(credit, {
    default: '0', unit: 'service tokens', meaning: 'Credit of a new account once its owner has verified the address, once per address. Requires the secret. An address whose account was erased before a rotation of the secret can be credited once more after SECRET_PREVIOUS is removed.',
  }),
  CREDIT_LINE: variable(creditLine, {
    default: null, unit: null,
    meaning: 'One line that tells owners how to get credit, such as Write to billing@example.com. The dashboard shows it, and refusals with insufficient_balance end with it. At most 300 characters and one https:// address.',
  }),
  REQUIRE_SECOND_FACTOR: variable(z.enum(SECOND_FACTOR_POLICIES, { error: `must be one of ${SECOND_FACTOR_POLICIES.join(', ')}` }), {
    default: null, unit: null,
    meaning: 'Who must sign in with a second factor: none, operators or everybody. Without it none, and operators with NODE_ENV=production.',
  }),
  OIDC_ISSUER: variable(issuerUrl, {
    default: null, unit: null,
    meaning: 'Identifier of the OpenID Connect issuer through which people may sign in instead of by password: https://accounts.example.com. Register the redirect address PUBLIC_URL/dashboard/api/auth/callback/oidc there. Without it, no issuer is offered.',
  }),
  OIDC_CLIENT_ID: variable(z.string(), { default: null, unit: null, meaning: 'The client id that the issuer assigned to this installation.' }),
  OIDC_CLIENT_SECRET: variable(z.string(), { default: null, unit: null, meaning: 'The client secret of this installation at the issuer.' }),
  OIDC_NAME: variable(z.string().max(60, 'must have at most 60 characters'), {
    default: null, unit: null, meaning: "Name of the issuer on the sign-in page. Without it, the issuer's host name.",
  }),
  OIDC_TRUST_EMAIL: variable(z.enum(['on', 'off'], { error: 'must be on or off' }), {
    default: 'off', unit: null,
    meaning: 'on vouches for the addresses of an issuer that does not say whether it has verified them, such as Entra ID: without the claim email_verified, and with the texts "true" and "1", an address counts as verified. One that the issuer calls unverified never does. off requires email_verified: true. Use on only with an issuer at which people cannot enter an address of their choice: who has an address there gets the account with it here.',
  }),
  OPERATOR_NETWORKS: variable(networkList('all'), {
    default: 'all', unit: null,
    meaning: "Networks from which operators may use the operator's routes of the dashboard: all, or addresses and CIDR ranges separated by commas. For other networks these routes do not exist.",
  }),
  DATABASE_URL: variable(databaseLocation, {
    default: 'sqlite:./data/tollgate.db', unit: null,
    meaning: 'The database: sqlite:PATH, relative to the working folder or absolute, whose folder is created if it is missing; or postgresql://USER:PASSWORD@HOST:PORT/DATABASE, which several gateways may share.',
  }),
  OUTBOX_FILE: variable(z.string(), {
    default: null, unit: null,
    meaning: 'File in which this gateway queues settlements while the database does not accept them. Gateways must not share it. Without it, DATABASE-outbox beside a database file, and data/outbox-HOST-PORT for PostgreSQL.',
  }),
  SECRET_FILE: variable(z.string(), {
    default: null, unit: null,
    meaning: 'The file with the secret that the keys of sessions, tokens, second factors and sealed reasoning are derived from: at least 32 random bytes in hexadecimal or base64. Without it, secret in the folder of the database file, data/secret by default, which the first start creates; with PostgreSQL, none.',
  }),
  SECRET: variable(secretText, {
    default: null, unit: null,
    meaning: 'The secret itself, instead of SECRET_FILE, as openssl rand -hex 32 prints it. Gateways that share a PostgreSQL database must share it; without it, the dashboard and sealed reasoning are off there.',
  }),
  SECRET_PREVIOUS: variable(secretText, {
    default: null, unit: null,
    meaning: 'The previous secret, which is still accepted during a rotation.',
  }),
  REDIS_URL: variable(redisLocation, {
    default: null, unit: null,
    meaning: 'Redis, for several gateways that share one database: redis://HOST:PORT, rediss:// for TLS, or the path of a Unix socket. Without it each process counts limits by itself.',
  }),
  CATALOG_FILE: variable(z.string(), {
    default: null, unit: null,
    meaning: 'The catalogue of models, upstreams and plans, in YAML. Without it the built-in sandbox models are served, or those of UPSTREAM_BASE_URL.',
  }),
  CATALOG_RELOAD_SECONDS: variable(seconds(0, 3_600), {
    default: '2', unit: 'seconds', meaning: 'How often the gateway checks the catalogue file for changes. 0 disables the check.',
  }),
  UPSTREAM_BASE_URL: variable(httpAddress, {
    default: null, unit: null,
    meaning: 'A model server, with its version path: http://127.0.0.1:8000/v1. Its models are served under their own names. Has no effect with CATALOG_FILE.',
  }),
  UPSTREAM_KIND: variable(z.enum(SERVER_KINDS, { error: `must be one of ${SERVER_KINDS.join(', ')}` }), {
    default: 'openai', unit: null,
    meaning: 'Wire format of the server at UPSTREAM_BASE_URL: openai is chat completions, anthropic the messages format, responses the responses format.',
  }),
  UPSTREAM_REASONING_STYLE: variable(z.enum(ALL_REASONING_STYLES, { error: `must be one of ${[...new Set(ALL_REASONING_STYLES)].join(', ')}` }), {
    default: 'off-only', unit: null,
    meaning: 'How the gateway controls the reasoning of that server, as reasoning_style of a catalogue: effort, thinking or chat-template with openai, budget or adaptive with anthropic, effort with responses, none with all. off-only forwards only that reasoning is off.',
  }),
  UPSTREAM_API_KEY: variable(z.string().regex(/^[\x21-\x7e]+$/, 'must be printable characters without spaces'), {
    default: null, unit: null, meaning: 'The key for UPSTREAM_BASE_URL.',
  }),
  MAX_MESSAGES: variable(wholeNumber(DEFAULT_REQUEST_LIMITS.messages, GREATEST_REQUEST_LIMITS.messages), { default: String(DEFAULT_REQUEST_LIMITS.messages), unit: 'messages', meaning: 'The most messages that a request may have, from 200 to 10,000. Coding agents exceed 200 in longer tasks. The responses format allows 2,000 items, or as many as this if it is more. Has no effect with CATALOG_FILE, whose request_limits apply.' }),
  MAX_TOOLS: variable(wholeNumber(DEFAULT_REQUEST_LIMITS.tools, GREATEST_REQUEST_LIMITS.tools), { default: String(DEFAULT_REQUEST_LIMITS.tools), unit: 'tools', meaning: 'The most tools that a request may offer the model, from 128 to 1,024. Has no effect with CATALOG_FILE, whose request_limits apply.' }),
  UPSTREAM_CONNECT_TIMEOUT_SECONDS: variable(seconds(0.001, 600), { default: '5', unit: 'seconds', meaning: 'Time-out of connecting to an upstream.' }),
  UPSTREAM_FIRST_BYTE_TIMEOUT_SECONDS: variable(seconds(0.001, 3_600), {
    default: '60', unit: 'seconds', meaning: 'Time-out of the first byte of an upstream response.',
  }),
  UPSTREAM_SILENCE_TIMEOUT_SECONDS: variable(seconds(0.001, 3_600), {
    default: '60', unit: 'seconds', meaning: 'Time-out of silence in the middle of an upstream response. After the first output, less than 16 bytes of output in this time is silence.',
  }),
  FIRST_OUTPUT_TIMEOUT_SECONDS: variable(seconds(0.001, 86_400), { default: '300', unit: 'seconds', meaning: 'Time-out of the first output of an upstream response that sends only comments and empty events. Counted from its headers.' }),
  EARLY_HEADERS_SECONDS: variable(seconds(0, 86_400), { default: '15', unit: 'seconds', meaning: 'How long the headers of a stream wait for its first output once the upstream has accepted the request, three times as long while a fallback is left. Then they leave, keep-alives follow, and no fallback can serve any more. 0: as long as it takes.' }),
  GENERATION_TIMEOUT_SECONDS: variable(seconds(0.001, 86_400), { default: '900', unit: 'seconds', meaning: 'Maximum duration of one generation. One that has begun to reply ends there as if the model had reached its maximum; otherwise a fallback serves.' }),
  WARM_UP: variable(z.enum(SWITCH, { error: `must be one of ${SWITCH.join(', ')}` }), {
    default: 'off', unit: null,
    meaning: 'Whether a start takes three seconds to compile the program, by requests to itself that leave no trace, before the gateway listens. With on, the first thousand requests take three quarters of the CPU, and later ones can take a seventh more.',
  }),
  SHUTDOWN_DELAY_SECONDS: variable(seconds(0, 3_600), {
    default: '0', unit: 'seconds', meaning: 'How long the gateway serves as before once it is told to stop, while /readyz already answers 503: the time in which a load balancer notices. SHUTDOWN_GRACE_SECONDS begins after it.',
  }),
  SHUTDOWN_GRACE_SECONDS: variable(seconds(0, 3_600), {
    default: '30', unit: 'seconds', meaning: 'How long running requests may continue once the gateway stops.',
  }),
  BODY_BYTES_IN_FLIGHT: variable(wholeNumber(4_194_304, 1_099_511_627_776), {
    default: '67108864', unit: 'bytes',
    meaning: 'Room for request bodies that arrive or wait to be parsed; small ones, of at most 64 KiB, have as much besides. An account may take an eighth of it, at least 4 MiB.',
  }),
  UNBILLED_PER_MINUTE_ACCOUNT: variable(wholeNumber(0, 1_000_000_000), {
    default: '600', unit: 'units', formerName: 'UNBILLED_PER_MINUTE_KEY',
    meaning: 'Unbilled work per minute and account: refused requests, reads, replayed responses. A unit is a request, or 64 KiB of its body. A plan with more requests a minute allows as many units. 0 means no limit. The former name UNBILLED_PER_MINUTE_KEY is still read.',
  }),
  UNBILLED_PER_MINUTE_ADDRESS: variable(wholeNumber(0, 1_000_000_000), {
    default: '600', unit: 'units',
    meaning: 'Requests per minute without a valid API key from one IPv4 address or one IPv6 /64 network; a /56 network may send twice as many, a /48 network four times. 0 means no limit.',
  }),
  TRUST_PROXY: variable(networkList('off'), {
    default: 'off', unit: null,
    meaning: 'Proxies whose X-Forwarded-For the gateway trusts: off, or addresses and CIDR ranges separated by commas.',
  }),
  MAX_CONNECTIONS: variable(wholeNumber(1, 1_000_000), {
    default: '10000', unit: null,
    meaning: 'Maximum number of open client connections, and never more than 80 % of the file descriptors that the process may open, less the open sockets to upstreams. From 90 % of it on, idle ones are closed first; if none is idle, further ones are closed without a response.',
  }),
  MAX_CONNECTIONS_PER_ADDRESS: variable(wholeNumber(1, 1_000_000), {
    default: '512', unit: null,
    meaning: 'Maximum number of open client connections from one IPv4 address or one IPv6 /64 network. Loopback and the proxies of TRUST_PROXY are exempt.',
  }),
  SMTP_HOST: variable(hostName, {
    default: null, unit: null, meaning: 'Mail server that delivers messages. Without it, each message becomes a file in MAIL_FOLDER.',
  }),
  SMTP_PORT: variable(wholeNumber(1, 65_535), {
    default: null, unit: null, meaning: 'Port of the mail server. Without it, 587 with SMTP_SECURITY=starttls, 465 with tls, 25 with none.',
  }),
  SMTP_SECURITY: variable(z.enum(SMTP_SECURITIES, { error: `must be one of ${SMTP_SECURITIES.join(', ')}` }), {
    default: 'starttls', unit: null,
    meaning: 'Encryption of the connection to the mail server: starttls, required after the greeting; tls, from the first byte; none, only for a server on this machine.',
  }),
  SMTP_USER: variable(z.string(), { default: null, unit: null, meaning: 'User name of the gateway at the mail server, with SMTP_PASSWORD.' }),
  SMTP_PASSWORD: variable(z.string(), { default: null, unit: null, meaning: 'Password of that user.' }),
  MAIL_FROM: variable(mailSender, {
    default: null, unit: null, meaning: 'Sender of messages: NAME <ADDRESS> or ADDRESS. Required with SMTP_HOST.',
  }),
  MAIL_FOLDER: variable(z.string(), {
    default: 'data/mail', unit: null, meaning: 'Folder for messages as .eml files if SMTP_HOST is not set. It is created if it is missing.',
  }),
  METRICS_PORT: variable(portNumber, {
    default: null, unit: null, meaning: 'Port of a separate listener that answers GET /metrics in the text format of Prometheus. Without it, nothing is measured. 0 takes a free one.',
  }),
  METRICS_HOST: variable(hostName, {
    default: '127.0.0.1', unit: null, meaning: 'Address of that listener. It requires no key, so keep it off public networks.',
  }),
  LEDGER_VERIFY_SECONDS: variable(seconds(0, 604_800), {
    default: '3600', unit: 'seconds', meaning: 'Interval between the gateway\'s checks of the books, the first of which runs one interval after the start. 0 disables them.',
  }),
  DELETION_GRACE_DAYS: variable(wholeNumber(0, 3650), {
    default: '30', unit: 'days', meaning: 'Time between the request to delete an account and its deletion, which can be cancelled until then.',
  }),
  RESPONSES_KEEP_HOURS: variable(wholeNumber(0, 720), {
    default: '24', unit: 'hours',
    meaning: 'How long the gateway stores responses in the responses format, unless a request says store: false. 0 stores none. A change applies to later responses.',
  }),
  LOG_LEVEL: variable(z.enum(LOG_LEVELS, { error: `must be one of ${LOG_LEVELS.join(', ')}` }), {
    default: 'info', unit: null, meaning: `The least severe level that is logged: ${LOG_LEVELS.slice(0, -1).join(', ')}; or silent.`,
  }),
  LOG_FORMAT: variable(z.enum(LOG_FORMATS, { error: `must be one of ${LOG_FORMATS.join(', ')}` }), {
    default: 'auto', unit: null, meaning: 'How the log is written: json, pretty for people, or auto, which is pretty in a terminal and json elsewhere.',
  }),
  NODE_ENV: variable(z.string(), {
    default: 'development', unit: null, meaning: 'With production, no demo account is created in an empty database.',
  }),
} as const;

export type VariableName = keyof typeof VARIABLES;

/** The values of all variables, read and checked. */
export type VariableValues = {
  readonly [Name in VariableName]:
    | z.output<(typeof VARIABLES)[Name]['schema']>
    | (null extends (typeof VARIABLES)[Name]['default'] ? null : never)
};
