import { describe, expect, it } from '@jest/globals';
import { DEFAULT_REQUEST_LIMITS, ServiceTokens } from '@tollgate/core';
import type { Environment } from './environment-file.js';
import { readSettings, type Settings } from './settings.js';

function settingsOf(environment: Environment): Settings {
  const reading = readSettings(environment);
  if ('problems' in reading) throw new Error(reading.problems.join('\n'));
  return reading.settings;
}

const SECRET_TEXT = '5e'.repeat(32);
const SECRET_BYTES = new Uint8Array(32).fill(0x5e);
const SECRET_MESSAGE = 'must be at least 32 random bytes in hexadecimal or base64, such as `openssl rand -hex 32` prints';

function problemsOf(environment: Environment): readonly string[] {
  const reading = readSettings(environment);
  return 'problems' in reading ? reading.problems : [];
}

const DASHBOARD: Settings['dashboard'] = { publicUrl: null, hosts: [], signUp: 'open', secondFactor: 'none', signupCredit: null, signupCreditDays: null, creditLine: null, issuer: null, operatorNetworks: [] };

const ISSUER: Environment = { OIDC_ISSUER: 'https://accounts.example.test/tenant', OIDC_CLIENT_ID: 'tollgate', OIDC_CLIENT_SECRET: 'secret' };

describe('readSettings', () => {
  it('returns the defaults if no variable is set', () => {
    expect(settingsOf({})).toEqual({
      earlyHeadersMilliseconds: 15_000,
      payments: { provider: { kind: 'sandbox' }, suspendsOnDispute: true },
      port: 8080,
      host: '127.0.0.1',
      dashboard: DASHBOARD,
      adminKeys: false,
      database: { kind: 'sqlite', path: './data/tollgate.db' },
      outboxFile: null,
      secret: { source: { kind: 'file', path: 'data/secret', whenMissing: 'make' }, previous: null },
      redis: null,
      catalogueFile: null,
      catalogueReloadMilliseconds: 2_000,
      upstream: null,
      requestLimits: DEFAULT_REQUEST_LIMITS,
      timeouts: { connectMilliseconds: 5_000, firstByteMilliseconds: 60_000, firstOutputMilliseconds: 300_000, silenceMilliseconds: 60_000, wholeMilliseconds: 900_000 },
      shutdownDelayMilliseconds: 0,
      shutdownGraceMilliseconds: 30_000,
      bodyBytesInFlight: 67_108_864,
      unbilledPerMinuteAccount: 600,
      unbilledPerMinuteAddress: 600,
      trustedProxies: [],
      maxConnections: 10_000,
      maxConnectionsPerAddress: 512,
      brand: { name: 'Tollgate', logoFile: null, accent: null, tokenWord: { one: 'service token', many: 'service tokens' }, supportUrl: null, imprintUrl: null, termsUrl: null, privacyUrl: null, documents: [] },
      mail: { kind: 'folder', folder: 'data/mail', from: { name: 'Tollgate', address: 'tollgate@localhost' } },
      mailTemplates: new Map(),
      metrics: null,
      ledgerVerifyMilliseconds: 3_600_000,
      deletionGraceMilliseconds: 2_592_000_000,
      responsesKeptMilliseconds: 86_400_000,
      eventsKeptMilliseconds: 7_776_000_000,
      lowBalanceAlerts: [{ percent: 20 }, { percent: 5 }],
      priceNoticeMilliseconds: 14 * 86_400_000,
      webhookNetworks: [],
      statementIssuer: { name: null, address: null, tax_number: null },
      logLevel: 'info',
      logFormat: 'auto',
      mode: 'development',
    });
  });

  it.each<[Environment, Partial<Settings>]>([
    [{ PORT: '0' }, { port: 0 }],
    [{ PORT: ' 9090 ' }, { port: 9090 }],
    [{ PORT: '' }, { port: 8080 }],
    [{ HOST: '::' }, { host: '::' }],
    [{ DATABASE_URL: 'sqlite:/var/lib/tollgate.db' }, { database: { kind: 'sqlite', path: '/var/lib/tollgate.db' } }],
    [{ DATABASE_URL: 'sqlite:///var/lib/tollgate.db' }, { database: { kind: 'sqlite', path: '/var/lib/tollgate.db' } }],
    [{ DATABASE_URL: 'sqlite::memory:' }, { database: { kind: 'sqlite', path: ':memory:' } }],
    ...[
      'postgres://db/tollgate', 'postgresql://me:hunter2@db:5433/tollgate?sslmode=verify-full', 'postgresql://me@/tollgate?host=/run/postgresql', 'postgresql:///tollgate',
    ].map((url): [Environment, Partial<Settings>] => [{ DATABASE_URL: url }, { database: { kind: 'postgres', url } }]),
    [{ OUTBOX_FILE: '/var/lib/outbox' }, { outboxFile: '/var/lib/outbox' }],
    [{ SECRET: SECRET_TEXT }, { secret: { source: { kind: 'value', secret: SECRET_BYTES }, previous: null } }],
    [{ SECRET_PREVIOUS: SECRET_TEXT }, { secret: { source: { kind: 'file', path: 'data/secret', whenMissing: 'make' }, previous: SECRET_BYTES } }],
    [{ SECRET_FILE: '/run/secrets/tollgate' }, { secret: { source: { kind: 'file', path: '/run/secrets/tollgate', whenMissing: 'make' }, previous: null } }],
    [{ SECRET_FILE: '/run/secrets/tollgate', DATABASE_URL: 'postgres://db/tollgate' }, { secret: { source: { kind: 'file', path: '/run/secrets/tollgate', whenMissing: 'refuse' }, previous: null } }],
    [{ DATABASE_URL: 'sqlite:/var/lib/tollgate/books.db' }, { secret: { source: { kind: 'file', path: '/var/lib/tollgate/secret', whenMissing: 'make' }, previous: null } }],
    [{ DATABASE_URL: 'sqlite::memory:' }, { secret: { source: { kind: 'passing' }, previous: null } }],
    [{ DATABASE_URL: 'postgres://db/tollgate' }, { secret: { source: { kind: 'none' }, previous: null } }],
    [{ REDIS_URL: 'redis://me:secret@cache.example.test:6380/2' }, { redis: { url: 'redis://me:secret@cache.example.test:6380/2' } }],
    [{ REDIS_URL: 'rediss://cache.example.test' }, { redis: { url: 'rediss://cache.example.test' } }],
    [{ REDIS_URL: '/run/redis/redis.sock' }, { redis: { url: '/run/redis/redis.sock' } }],
    [{ UPSTREAM_BASE_URL: 'https://models.example.test/v1' }, { upstream: { kind: 'openai', baseUrl: 'https://models.example.test/v1', apiKey: null, reasoningStyle: 'off-only' } }],
    [{ UPSTREAM_BASE_URL: 'http://127.0.0.1:8000/v1', UPSTREAM_API_KEY: 'secret' }, { upstream: { kind: 'openai', baseUrl: 'http://127.0.0.1:8000/v1', apiKey: 'secret', reasoningStyle: 'off-only' } }],
    [{ UPSTREAM_BASE_URL: 'http://127.0.0.1:8000', UPSTREAM_KIND: 'anthropic' }, { upstream: { kind: 'anthropic', baseUrl: 'http://127.0.0.1:8000', apiKey: null, reasoningStyle: 'off-only' } }],
    [{ UPSTREAM_BASE_URL: 'http://127.0.0.1:8000/v1', UPSTREAM_REASONING_STYLE: 'effort' },
      { upstream: { kind: 'openai', baseUrl: 'http://127.0.0.1:8000/v1', apiKey: null, reasoningStyle: 'effort' } }],
    [{ UPSTREAM_BASE_URL: 'http://127.0.0.1:8000', UPSTREAM_KIND: 'anthropic', UPSTREAM_REASONING_STYLE: 'adaptive' },
      { upstream: { kind: 'anthropic', baseUrl: 'http://127.0.0.1:8000', apiKey: null, reasoningStyle: 'adaptive' } }],
    [{ UPSTREAM_API_KEY: 'secret' }, { upstream: null }],
    [{ CATALOG_RELOAD_SECONDS: '0' }, { catalogueReloadMilliseconds: null }],
    [{ SHUTDOWN_DELAY_SECONDS: '10' }, { shutdownDelayMilliseconds: 10_000 }],
    [{ SHUTDOWN_GRACE_SECONDS: '0.25' }, { shutdownGraceMilliseconds: 250 }],
    [{ TRUST_PROXY: '10.0.0.0/8, ::1 ,192.168.1.1' }, { trustedProxies: ['10.0.0.0/8', '::1', '192.168.1.1'] }],
    [{ UNBILLED_PER_MINUTE_ACCOUNT: '0' }, { unbilledPerMinuteAccount: 0 }],
    [{ UNBILLED_PER_MINUTE_KEY: '50' }, { unbilledPerMinuteAccount: 50 }],
    [{ UNBILLED_PER_MINUTE_KEY: '50', UNBILLED_PER_MINUTE_ACCOUNT: '70' }, { unbilledPerMinuteAccount: 70 }],
    [{ MAX_CONNECTIONS: '200', MAX_CONNECTIONS_PER_ADDRESS: '20' }, { maxConnections: 200, maxConnectionsPerAddress: 20 }],
    [{ MAIL_FOLDER: '/var/mail', MAIL_FROM: 'ops@example.test' }, { mail: { kind: 'folder', folder: '/var/mail', from: { name: '', address: 'ops@example.test' } } }],
    [{ BRAND_NAME: 'Acme AI', BRAND_ACCENT: '#D9480F', SUPPORT_CONTACT: 'help@acme.example', TERMS_URL: 'https://acme.example/terms' }, {
      brand: { name: 'Acme AI', logoFile: null, accent: '#d9480f', tokenWord: { one: 'service token', many: 'service tokens' }, supportUrl: 'mailto:help@acme.example', imprintUrl: null, termsUrl: 'https://acme.example/terms', privacyUrl: null, documents: [{ document: 'terms', version: '1', url: 'https://acme.example/terms' }] },
      statementIssuer: { name: 'Acme AI', address: null, tax_number: null },
      mail: { kind: 'folder', folder: 'data/mail', from: { name: 'Acme AI', address: 'tollgate@localhost' } },
    }],
    ...([['credit/credits', { one: 'credit', many: 'credits' }], [' Guthaben ', { one: 'Guthaben', many: 'Guthaben' }]] as const).map(([word, tokenWord]): [Environment, Partial<Settings>] => [
      { BRAND_TOKEN_WORD: word }, { brand: expect.objectContaining({ tokenWord }) as unknown as Settings['brand'] },
    ]),
    ...([['starttls', 587], ['tls', 465], ['none', 25]] as const).map(([security, port]): [Environment, Partial<Settings>] => [
      { SMTP_HOST: 'localhost', SMTP_SECURITY: security, MAIL_FROM: 'Tollgate Ops <ops@example.test>' },
      { mail: { kind: 'smtp', host: 'localhost', port, security, credentials: null, from: { name: 'Tollgate Ops', address: 'ops@example.test' } } },
    ]),
    [{ SMTP_HOST: 'smtp.example.test', SMTP_PORT: '2525', SMTP_USER: 'gateway', SMTP_PASSWORD: 'hunter2', MAIL_FROM: 'ops@example.test' }, {
      mail: {
        kind: 'smtp', host: 'smtp.example.test', port: 2525, security: 'starttls', credentials: { user: 'gateway', password: 'hunter2' }, from: { name: '', address: 'ops@example.test' },
      },
    }],
    [{ METRICS_PORT: '9464' }, { metrics: { host: '127.0.0.1', port: 9464 } }],
    [{ METRICS_PORT: '9464', METRICS_HOST: '0.0.0.0' }, { metrics: { host: '0.0.0.0', port: 9464 } }],
    [{ METRICS_HOST: '0.0.0.0' }, { metrics: null }],
    [{ ADMIN_KEYS: 'on' }, { adminKeys: true }],
    [{ SIGNUP_CREDIT: '0.000000' }, { dashboard: DASHBOARD }],
    [{ SIGNUP_CREDIT_DAYS: '90' }, { dashboard: { ...DASHBOARD, signupCreditDays: 90 } }],
    [{ SIGNUP_CREDIT: '12.5' }, { dashboard: { ...DASHBOARD, signupCredit: ServiceTokens.parse('12.5') } }],
    ...['Write to billing@example.com.', 'Credit: https://example.com/credit?a=b', 'x'.repeat(300)].map((text): [Environment, Partial<Settings>] => [{ CREDIT_LINE: text }, { dashboard: { ...DASHBOARD, creditLine: text } }]),
    [{ LEDGER_VERIFY_SECONDS: '0' }, { ledgerVerifyMilliseconds: null }],
    [{ DELETION_GRACE_DAYS: '0' }, { deletionGraceMilliseconds: 0 }],
    [{ EVENTS_KEEP_DAYS: '1' }, { eventsKeptMilliseconds: 86_400_000 }],
    [{ LOW_BALANCE_ALERTS: '50%, 12.5' }, { lowBalanceAlerts: [{ percent: 50 }, { amount: ServiceTokens.parse('12.5') }] }],
    [{ TERMS_URL: 'https://a.example/t', TERMS_VERSION: '2026-12', PRIVACY_URL: 'https://a.example/p', PRIVACY_VERSION: '3' }, {
      brand: {
        name: 'Tollgate', logoFile: null, accent: null, tokenWord: { one: 'service token', many: 'service tokens' }, supportUrl: null, imprintUrl: null, termsUrl: 'https://a.example/t', privacyUrl: 'https://a.example/p',
        documents: [{ document: 'terms', version: '2026-12', url: 'https://a.example/t' }, { document: 'privacy', version: '3', url: 'https://a.example/p' }],
      },
    }],
    [{ OPERATOR_NAME: 'Example Ltd', BRAND_NAME: 'Tollgate', OPERATOR_TAX_NUMBER: 'GB 1' }, { statementIssuer: { name: 'Example Ltd', address: null, tax_number: 'GB 1' } }],
    [{ OPERATOR_NAME: 'Example Ltd', OPERATOR_ADDRESS: 'High Street 1\\nLondon', OPERATOR_TAX_NUMBER: 'GB 1' }, { statementIssuer: { name: 'Example Ltd', address: 'High Street 1\nLondon', tax_number: 'GB 1' } }],
    [{ WEBHOOK_NETWORKS: '10.0.0.0/8, 192.0.2.7' }, { webhookNetworks: ['10.0.0.0/8', '192.0.2.7'] }],
    [{ LOW_BALANCE_ALERTS: 'none' }, { lowBalanceAlerts: [] }],
    [{ PRICE_NOTICE_DAYS: '0' }, { priceNoticeMilliseconds: 0 }],
    [{ RESPONSES_KEEP_HOURS: '0' }, { responsesKeptMilliseconds: 0 }],
    [{ RESPONSES_KEEP_HOURS: '720' }, { responsesKeptMilliseconds: 2_592_000_000 }],
    [{ NODE_ENV: 'production' }, { mode: 'production', dashboard: { ...DASHBOARD, signUp: 'invitation', secondFactor: 'operators' } }],
    [
      { PUBLIC_URL: 'https://API.example.test:8443/', DASHBOARD_HOSTS: 'Console.example.test, localhost:8080', SIGN_UP: 'closed', REQUIRE_SECOND_FACTOR: 'everybody', OPERATOR_NETWORKS: '10.0.0.0/8' },
      {
        dashboard: {
          publicUrl: 'https://api.example.test:8443', hosts: ['console.example.test', 'localhost:8080'], signUp: 'closed', secondFactor: 'everybody', signupCredit: null, signupCreditDays: null, creditLine: null, issuer: null, operatorNetworks: ['10.0.0.0/8'],
        },
      },
    ],
    [{ NODE_ENV: 'test' }, { mode: 'development' }],
  ])('reads %j', (environment, expected) => {
    expect(settingsOf(environment)).toMatchObject(expected);
  });

  it.each([
    [ISSUER, { issuer: 'https://accounts.example.test/tenant', clientId: 'tollgate', clientSecret: 'secret', name: 'accounts.example.test', trustEmail: false }],
    [{ ...ISSUER, OIDC_ISSUER: 'http://localhost:4444', OIDC_NAME: 'Example', OIDC_TRUST_EMAIL: 'on' }, { issuer: 'http://localhost:4444', clientId: 'tollgate', clientSecret: 'secret', name: 'Example', trustEmail: true }],
  ])('reads the OpenID Connect issuer from %j', (environment, issuer) => {
    expect(settingsOf(environment).dashboard.issuer).toEqual(issuer);
  });

  it.each<[Environment, string]>([
    [{ PORT: '65536' }, 'PORT: must be a whole number from 0 to 65535'],
    [{ PUBLIC_URL: 'https://api.example.test/v1' }, 'PUBLIC_URL: must have no path, as in https://api.example.com'],
    [{ PUBLIC_URL: 'api.example.test' }, 'PUBLIC_URL: must be an http:// or https:// address'],
    [{ DASHBOARD_HOSTS: 'https://a.example' }, 'DASHBOARD_HOSTS: must be a comma-separated list of host names such as console.example.com'],
    [{ SIGN_UP: 'maybe' }, 'SIGN_UP: must be one of open, invitation, closed'],
    [{ ...ISSUER, OIDC_ISSUER: 'http://accounts.example.test' }, 'OIDC_ISSUER: must be an https:// address, or an http:// address of this machine'],
    [{ ...ISSUER, OIDC_ISSUER: 'https://accounts.example.test/?a=b' }, 'OIDC_ISSUER: must be an address without credentials, query and fragment'],
    [{ OIDC_ISSUER: 'https://accounts.example.test', OIDC_CLIENT_ID: 'tollgate' }, 'OIDC_CLIENT_SECRET: must be set together with the other OIDC settings'],
    [{ OPERATOR_NETWORKS: 'off' }, 'OPERATOR_NETWORKS: must be all, or a comma-separated list of addresses or CIDR ranges such as 10.0.0.0/8'],
    [{ PORT: '80a' }, 'PORT: must be a whole number from 0 to 65535'],
    [{ UPSTREAM_REASONING_STYLE: 'much' }, 'UPSTREAM_REASONING_STYLE: must be one of budget, adaptive, off-only, none, effort, thinking, chat-template'],
    [{ UPSTREAM_REASONING_STYLE: 'budget' }, 'UPSTREAM_REASONING_STYLE: must be one of effort, thinking, chat-template, off-only, none with UPSTREAM_KIND=openai'],
    [{ UPSTREAM_KIND: 'anthropic', UPSTREAM_REASONING_STYLE: 'effort' }, 'UPSTREAM_REASONING_STYLE: must be one of budget, adaptive, off-only, none with UPSTREAM_KIND=anthropic'],
    [{ UNBILLED_PER_MINUTE_KEY: '-1' }, 'UNBILLED_PER_MINUTE_KEY: must be a whole number from 0 to 1000000000'],
    [{ EVENTS_KEEP_DAYS: '0' }, 'EVENTS_KEEP_DAYS: must be a whole number from 1 to 3650'],
    [{ LOW_BALANCE_ALERTS: '1,2,3,4' }, 'LOW_BALANCE_ALERTS: must be none, or up to three whole percentages such as 20% or amounts of service tokens such as 12.5, separated by commas'],
    [{ RESPONSES_KEEP_HOURS: '721' }, 'RESPONSES_KEEP_HOURS: must be a whole number from 0 to 720'],
    [{ HOST: 'http://localhost' }, 'HOST: must be a host name or an IP address'],
    ...[
      'tollgate.db', 'sqlite:', 'sqlite://data/tollgate.db', 'mysql://me:hunter2@db/tollgate', 'postgresql:tollgate', 'postgresql://', 'postgresql://db',
      'postgresql://me:hunter2@db/', 'postgresql://me:hunter2@db/a/b', 'postgresql://me:hunter2@db/tollgate#x', 'postgresql://me:hunter 2@db/tollgate',
    ].map((text): [Environment, string] => [
      { DATABASE_URL: text },
      'DATABASE_URL: must have the form sqlite:PATH, for example sqlite:./data/tollgate.db, or postgresql://USER:PASSWORD@HOST:PORT/DATABASE',
    ]),
    [{ SECRET: 'hunter2' }, `SECRET: ${SECRET_MESSAGE}`],
    [{ SECRET: 'ab'.repeat(31) }, `SECRET: ${SECRET_MESSAGE}`],
    [{ SECRET: SECRET_TEXT, SECRET_PREVIOUS: 'ab'.repeat(31) }, `SECRET_PREVIOUS: ${SECRET_MESSAGE}`],
    [{ MAIL_TEMPLATES: '/nonexistent' }, "MAIL_TEMPLATES: cannot be read: ENOENT: no such file or directory, scandir '/nonexistent'"],
    [{ TERMS_VERSION: '2' }, 'TERMS_VERSION: must not be set without TERMS_URL'],
    [{ PRIVACY_VERSION: '2', TERMS_URL: 'https://acme.example/terms' }, 'PRIVACY_VERSION: must not be set without PRIVACY_URL'],
    [{ SECRET: SECRET_TEXT, SECRET_FILE: '/run/secrets/tollgate' }, 'SECRET: must not be set together with SECRET_FILE'],
    [{ SECRET_PREVIOUS: SECRET_TEXT, DATABASE_URL: 'postgres://db/tollgate' }, 'SECRET_PREVIOUS: must not be set without SECRET or SECRET_FILE'],
    [{ REDIS_URL: 'cache.example.test:6379' }, 'REDIS_URL: must be a redis:// or rediss:// address, or the absolute path of a Unix socket such as /run/redis/redis.sock'],
    [{ REDIS_URL: 'redis://' }, 'REDIS_URL: must be a redis:// or rediss:// address, or the absolute path of a Unix socket such as /run/redis/redis.sock'],
    [{ REDIS_URL: 'redis://cache.example.test/name' }, 'REDIS_URL: must be a redis:// or rediss:// address, or the absolute path of a Unix socket such as /run/redis/redis.sock'],
    [{ REDIS_URL: './redis.sock' }, 'REDIS_URL: must be a redis:// or rediss:// address, or the absolute path of a Unix socket such as /run/redis/redis.sock'],
    [{ UPSTREAM_BASE_URL: 'localhost:8000' }, 'UPSTREAM_BASE_URL: must be an http:// or https:// address'],
    [{ UPSTREAM_BASE_URL: 'http://me:secret@localhost' }, 'UPSTREAM_BASE_URL: must not contain a user name or a password'],
    [{ UPSTREAM_API_KEY: 'two words' }, 'UPSTREAM_API_KEY: must be printable characters without spaces'],
    [{ GENERATION_TIMEOUT_SECONDS: '0' }, 'GENERATION_TIMEOUT_SECONDS: must be a number of seconds from 0.001 to 86400'],
    [{ TRUST_PROXY: 'on' }, 'TRUST_PROXY: must be off, or a comma-separated list of addresses or CIDR ranges such as 10.0.0.0/8'],
    [{ TRUST_PROXY: '10.0.0.0/33' }, 'TRUST_PROXY: must be off, or a comma-separated list of addresses or CIDR ranges such as 10.0.0.0/8'],
    [{ MAX_MESSAGES: '199' }, 'MAX_MESSAGES: must be a whole number from 200 to 10000'],
    [{ MAX_TOOLS: '127' }, 'MAX_TOOLS: must be a whole number from 128 to 1024'],
    [{ MAX_CONNECTIONS: '0' }, 'MAX_CONNECTIONS: must be a whole number from 1 to 1000000'],
    [{ SMTP_HOST: 'smtp.example.test' }, 'MAIL_FROM: must be set together with SMTP_HOST'],
    [{ SMTP_HOST: 'smtp://example.test', MAIL_FROM: 'ops@example.test' }, 'SMTP_HOST: must be a host name or an IP address'],
    [{ BRAND_ACCENT: 'red' }, 'BRAND_ACCENT: must be a colour such as #3b6ff5'],
    [{ BRAND_ACCENT: '#ffd500' }, 'BRAND_ACCENT: has a contrast of 1.33:1 with the page in the light scheme; at least 3:1 is needed in both'],
    ...['credit/', 'a/b/c', '<b>', 'x'.repeat(31), '7 coins'].map((word): [Environment, string] => [{ BRAND_TOKEN_WORD: word }, 'BRAND_TOKEN_WORD: must be a word, or its singular and plural such as credit/credits, with at most 30 letters each']),
    [{ BRAND_NAME: 'x'.repeat(41) }, 'BRAND_NAME: must have at most 40 characters'],
    [{ SUPPORT_CONTACT: 'javascript:alert(1)' }, 'SUPPORT_CONTACT: must be a mail address or an https:// address'],
    [{ IMPRINT_URL: 'acme.example' }, 'IMPRINT_URL: must be an http:// or https:// address'],
    [{ SMTP_HOST: 'smtp.example.test', SMTP_PORT: '0', MAIL_FROM: 'ops@example.test' }, 'SMTP_PORT: must be a whole number from 1 to 65535'],
    ...['smtp.example.test', '127.0.0.1.example.test', '0.0.0.0'].map((host): [Environment, string] => [
      { SMTP_HOST: host, SMTP_SECURITY: 'none', MAIL_FROM: 'ops@example.test' }, 'SMTP_SECURITY: may be none only if SMTP_HOST is localhost, 127.0.0.1 or ::1',
    ]),
    [{ SMTP_SECURITY: 'ssl' }, 'SMTP_SECURITY: must be one of starttls, tls, none'],
    [{ SMTP_HOST: 'localhost', SMTP_USER: 'gateway', MAIL_FROM: 'ops@example.test' }, 'SMTP_PASSWORD: must be set together with SMTP_USER'],
    [{ SMTP_HOST: 'localhost', SMTP_PASSWORD: 'hunter2', MAIL_FROM: 'ops@example.test' }, 'SMTP_USER: must be set together with SMTP_PASSWORD'],
    [{ SMTP_USER: 'gateway', SMTP_PASSWORD: 'hunter2' }, 'SMTP_HOST: must be set together with SMTP_USER and SMTP_PASSWORD'],
    ...['Tollgate', 'a@b@c', 'Tollgate <ops@example.test', 'To\nllgate <ops@example.test>', '"Tollgate" <ops@example.test>', 'ops@example.test, eve@example.test'].map((text): [Environment, string] => [
      { MAIL_FROM: text }, 'MAIL_FROM: must have the form NAME <ADDRESS> or ADDRESS, for example Tollgate <tollgate@example.com>',
    ]),
    ...['-1', '1e3', '0.0000001', '1000000000', 'ten'].map((text): [Environment, string] => [
      { SIGNUP_CREDIT: text }, 'SIGNUP_CREDIT: must be a number of service tokens from 0 to 999999999 with at most six decimal places',
    ]),
    ...['x'.repeat(301), 'two\nlines', 'two\u2028lines'].map((text): [Environment, string] => [{ CREDIT_LINE: text }, 'CREDIT_LINE: must be one line of at most 300 characters']),
    ...['http://example.com', 'javascript://example.com', 'https://a.example https://b.example', 'https://:1'].map((text): [Environment, string] => [
      { CREDIT_LINE: text }, 'CREDIT_LINE: may contain at most one address, which must begin with https://',
    ]),
    [{ LOG_LEVEL: 'loud' }, 'LOG_LEVEL: must be one of fatal, error, warn, info, debug, trace, silent'],
  ])('reports the error in %j', (environment, problem) => {
    expect(problemsOf(environment)).toEqual([problem]);
  });

  it('reports the errors of all variables at once, without their values', () => {
    const problems = problemsOf({ PORT: 'http', DATABASE_URL: 'postgresql://me:hunter2@db', REDIS_URL: 'http://:hunter2@cache', SECRET: 'hunter2', UPSTREAM_BASE_URL: 'ftp://hunter2' });
    expect(problems.map((problem) => problem.split(':')[0])).toEqual(['PORT', 'DATABASE_URL', 'SECRET', 'REDIS_URL', 'UPSTREAM_BASE_URL']);
    expect(problems.join('\n')).not.toContain('hunter2');
  });
});
