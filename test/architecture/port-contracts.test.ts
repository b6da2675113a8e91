import { describe, expect, it, test } from '@jest/globals';
import {
  accountErasureContract, accountNotesContract, accountRepositoryContract, alertMailsContract, auditTrailContract, backgroundEventsContract, catalogueSourceContract, clockContract, eventsContract, idGeneratorContract,
  idempotencyStoreContract, installationRegistryContract, issuerSignInContract, keyRepositoryContract, ledgerContract, machineClaimsContract, machinesContract, mailOutboxContract, mailTransportContract, modelNoticesContract,
  creditsContract, operatorControlsContract, operatorLookupsContract, passkeysContract, paymentsContract, personDirectoryContract, rateLimiterContract, responseStoreContract, secondFactorsContract, sessionsContract, sharedCounterContract, statementsContract, topUpsContract, usageFeedContract, usageReaderContract, usageTotalsContract, vouchersContract, webhooksContract,
} from '@tollgate/testkit';
import { requestBooksContract } from '@tollgate/sql-common/testing';
import { adaptersIn, findAdapters, findPorts, portsOfSeveral, runsContract } from './port-contracts.js';

type Run = readonly [adapter: string, testFile: string, name: string];

const MEMORY = ['packages/adapters-memory/src/memory-store.contracts.test.ts', 'memory'] as const;
const SQLITE = ['packages/adapters-sqlite/src/open-sqlite-store.contracts.test.ts', 'SQLite file'] as const;
const SQLITE_IN_MEMORY = [SQLITE[0], 'SQLite in memory'] as const;
const POSTGRES = ['packages/adapters-postgres/src/open-postgres-store.contracts.test.ts', 'PostgreSQL'] as const;

const PEOPLE = {
  sqlite: ['packages/adapters-sqlite/src/open-sqlite-store.people.test.ts', 'SQLite file'],
  postgres: ['packages/adapters-postgres/src/open-postgres-store.people.test.ts', 'PostgreSQL'],
} as const;

const EVENTS = {
  sqlite: ['packages/adapters-sqlite/src/open-sqlite-store.events.test.ts', 'SQLite file'],
  postgres: ['packages/adapters-postgres/src/open-postgres-store.events.test.ts', 'PostgreSQL'],
} as const;

const ALERTS = {
  sqlite: ['packages/adapters-sqlite/src/open-sqlite-store.alerts.test.ts', 'SQLite file'],
  postgres: ['packages/adapters-postgres/src/open-postgres-store.alerts.test.ts', 'PostgreSQL'],
} as const;

const NOTICES = {
  sqlite: ['packages/adapters-sqlite/src/open-sqlite-store.notices.test.ts', 'SQLite file'],
  postgres: ['packages/adapters-postgres/src/open-postgres-store.notices.test.ts', 'PostgreSQL'],
} as const;

const WEBHOOKS = {
  sqlite: ['packages/adapters-sqlite/src/open-sqlite-store.webhooks.test.ts', 'SQLite file'],
  postgres: ['packages/adapters-postgres/src/open-postgres-store.webhooks.test.ts', 'PostgreSQL'],
} as const;

/** By port with several adapters: its contract, and the test files that run the contract for each adapter. */
const CONTRACTS: Readonly<Record<string, readonly [contract: { readonly name: string }, ...runs: readonly Run[]]>> = {
  AccountErasure: [accountErasureContract, ['MemoryAccountErasure', ...MEMORY], ['SqlAccountErasure', ...SQLITE], ['SqlAccountErasure', ...POSTGRES]],
  AccountNoteRecords: [accountNotesContract, ['SqlAccountNoteRecords', ...SQLITE], ['SqlAccountNoteRecords', ...POSTGRES]],
  AccountRepository: [accountRepositoryContract, ['MemoryAccounts', ...MEMORY], ['SqlAccountRepository', ...SQLITE], ['SqlAccountRepository', ...POSTGRES]],
  AlertRecords: [alertMailsContract, ['SqlAlertRecords', ...ALERTS.sqlite], ['SqlAlertRecords', ...ALERTS.postgres]],
  AuditTrail: [auditTrailContract, ['MemoryAuditTrail', ...MEMORY], ['SqlAuditTrail', ...SQLITE_IN_MEMORY], ['SqlAuditTrail', ...POSTGRES]],
  BackgroundEvents: [backgroundEventsContract, ['SqlBackgroundEvents', ...EVENTS.sqlite], ['SqlBackgroundEvents', ...EVENTS.postgres]],
  BalanceAlerts: [eventsContract, ['SqlBalanceAlerts', ...EVENTS.sqlite], ['SqlBalanceAlerts', ...EVENTS.postgres]],
  CatalogueSource: [
    catalogueSourceContract,
    ['StaticCatalogue', 'packages/adapters-memory/src/static-catalogue.test.ts', 'static'],
    ['CatalogueFile', 'packages/adapters-config/src/catalogue/catalogue-file.test.ts', 'file'],
  ],
  Clock: [
    clockContract,
    ['ManualClock', 'packages/adapters-memory/src/manual-clock.test.ts', 'manual'],
    ['SystemClock', 'packages/adapters-node/src/system-clock.test.ts', "the machine's"],
  ],
  EventLog: [eventsContract, ['SqlEventLog', ...EVENTS.sqlite], ['SqlEventLog', ...EVENTS.postgres]],
  FactorRecords: [
    secondFactorsContract, ['SqlFactorRecords', ...PEOPLE.sqlite], ['SqlFactorRecords', ...PEOPLE.postgres],
  ],
  ...Object.fromEntries(['IdGenerator', 'ApiKeySecretGenerator', 'IdentityIdGenerator', 'PaymentIds', 'VoucherCodeGenerator'].map((port) => [port, [
    idGeneratorContract,
    ['SequentialIds', 'packages/adapters-memory/src/sequential-ids.test.ts', 'sequential'],
    ['RandomIds', 'packages/adapters-node/src/random-ids.test.ts', 'random'],
  ] as const])),
  IdempotencyStore: [
    idempotencyStoreContract, ['MemoryIdempotency', ...MEMORY], ['SqlIdempotencyStore', ...SQLITE], ['SqlIdempotencyStore', ...POSTGRES],
    ['OutboxIdempotency', 'packages/adapters-node/src/outbox-ledger.contract.test.ts', 'memory behind an outbox'],
  ],
  InstallationRegistry: [
    installationRegistryContract, ['SqlInstallation', ...SQLITE], ['SqlInstallation', ...POSTGRES],
  ],
  IssuerRecords: [
    issuerSignInContract, ['SqlIssuerRecords', ...PEOPLE.sqlite], ['SqlIssuerRecords', ...PEOPLE.postgres],
  ],
  KeyRepository: [keyRepositoryContract, ['MemoryKeys', ...MEMORY], ['SqlKeyRepository', ...SQLITE], ['SqlKeyRepository', ...POSTGRES]],
  Ledger: [
    ledgerContract, ['MemoryLedger', ...MEMORY], ['SqliteLedger', ...SQLITE], ['PostgresLedger', ...POSTGRES],
    ['OutboxLedger', 'packages/adapters-node/src/outbox-ledger.contract.test.ts', 'memory behind an outbox'],
  ],
  // The ledger's contract verifies the books after each of its tests.
  LedgerAudit: [ledgerContract, ['MemoryLedger', ...MEMORY], ['SqlLedgerAudit', ...SQLITE], ['SqlLedgerAudit', ...POSTGRES]],
  MachineClaims: [machineClaimsContract, ['SqlMachineClaims', ...SQLITE], ['SqlMachineClaims', ...POSTGRES]],
  MachineRecords: [machinesContract, ['SqlMachineRecords', ...SQLITE], ['SqlMachineRecords', ...POSTGRES]],
  MailOutbox: [mailOutboxContract, ['SqlMailOutbox', ...SQLITE], ['SqlMailOutbox', ...POSTGRES]],
  MailTransport: [
    mailTransportContract,
    ['SmtpTransport', 'packages/adapters-mail/src/smtp-transport.test.ts', 'SMTP'],
    ['MailFolder', 'packages/adapters-mail/src/mail-folder.test.ts', 'folder'],
  ],
  NoticeRecords: [modelNoticesContract, ['SqlNoticeRecords', ...NOTICES.sqlite], ['SqlNoticeRecords', ...NOTICES.postgres]],
  OperatorControls: [operatorControlsContract, ['MemoryPlatform', ...MEMORY], ['SqlOperatorControls', ...SQLITE], ['SqlOperatorControls', ...POSTGRES]],
  OperatorLookups: [
    operatorLookupsContract, ['SqlOperatorLookups', ...SQLITE], ['SqlOperatorLookups', ...POSTGRES],
  ],
  PasskeyRecords: [
    passkeysContract, ['SqlPasskeyRecords', ...PEOPLE.sqlite], ['SqlPasskeyRecords', ...PEOPLE.postgres],
  ],
  PersonRecords: [
    personDirectoryContract, ['SqlPersonRecords', ...PEOPLE.sqlite], ['SqlPersonRecords', ...PEOPLE.postgres],
  ],
  // This port shows what operators have set, so the contract of the operators' controls tests it.
  PlatformState: [operatorControlsContract, ['MemoryPlatform', ...MEMORY], ['SqlitePlatformState', ...SQLITE], ['PostgresPlatformState', ...POSTGRES]],
  RateLimiter: [
    rateLimiterContract,
    ['MemoryRateLimiter', 'packages/adapters-memory/src/memory-rate-limiter.test.ts', 'memory'],
    ['RedisRateLimiter', 'packages/adapters-redis/src/redis-rate-limiter.contract.test.ts', 'Redis'],
    ['FallbackRateLimiter', 'packages/adapters-redis/src/fallback-rate-limiter.test.ts', 'Redis behind the fallback'],
    ['FallbackRateLimiter', 'packages/adapters-redis/src/fallback-rate-limiter.test.ts', 'memory while Redis is away'],
  ],
  RequestBooks: [
    requestBooksContract,
    ['SqlRequestBooks', 'packages/adapters-sqlite/test/lookups/sql-request-books.test.ts', 'SQLite file'],
    ['SqlRequestBooks', 'packages/adapters-postgres/src/open-postgres-store.request-books.test.ts', 'PostgreSQL'],
  ],
  ResponseStore: [
    responseStoreContract, ['MemoryResponses', ...MEMORY], ['SqlResponseStore', ...SQLITE], ['SqlResponseStore', ...SQLITE_IN_MEMORY], ['SqlResponseStore', ...POSTGRES],
  ],
  SessionRecords: [sessionsContract, ['SqlSessionRecords', ...PEOPLE.sqlite], ['SqlSessionRecords', ...PEOPLE.postgres]],
  SharedCounter: [
    sharedCounterContract,
    ['MemoryCounter', 'packages/adapters-memory/src/memory-counter.test.ts', 'memory'],
    ['RedisSharedCounter', 'packages/adapters-redis/src/redis-shared-counter.test.ts', 'Redis'],
  ],
  CreditRecords: [
    creditsContract,
    ['SqlCreditRecords', 'packages/adapters-sqlite/src/open-sqlite-store.credits.test.ts', 'SQLite file'],
    ['SqlCreditRecords', 'packages/adapters-postgres/src/open-postgres-store.credits.test.ts', 'PostgreSQL'],
  ],
  TopUpRecords: [
    topUpsContract,
    ['SqlTopUpRecords', 'packages/adapters-sqlite/src/open-sqlite-store.top-ups.test.ts', 'SQLite file'],
    ['SqlTopUpRecords', 'packages/adapters-postgres/src/open-postgres-store.top-ups.test.ts', 'PostgreSQL'],
  ],
  UsageFeed: [usageFeedContract, ['SqlUsageFeed', ...EVENTS.sqlite], ['SqlUsageFeed', ...EVENTS.postgres]],
  UsageReader: [usageReaderContract, ['MemoryUsage', ...MEMORY], ['SqlUsageReader', ...SQLITE], ['SqlUsageReader', ...POSTGRES]],
  StatementRecords: [
    statementsContract,
    ['SqlStatementRecords', 'packages/adapters-sqlite/src/open-sqlite-store.statements.test.ts', 'SQLite file'],
    ['SqlStatementRecords', 'packages/adapters-postgres/src/open-postgres-store.statements.test.ts', 'PostgreSQL'],
  ],
  UsageTotals: [usageTotalsContract, ['MemoryUsageTotals', ...MEMORY], ['SqlUsageTotals', ...SQLITE], ['SqlUsageTotals', ...POSTGRES]],
  PaymentRecords: [
    paymentsContract,
    ['SqlPaymentRecords', 'packages/adapters-sqlite/src/open-sqlite-store.payments.test.ts', 'SQLite file'],
    ['SqlPaymentRecords', 'packages/adapters-postgres/src/open-postgres-store.payments.test.ts', 'PostgreSQL'],
  ],
  SimulatedCheckouts: [
    paymentsContract,
    ['SqlSimulatedCheckouts', 'packages/adapters-sqlite/src/open-sqlite-store.payments.test.ts', 'SQLite file'],
    ['SqlSimulatedCheckouts', 'packages/adapters-postgres/src/open-postgres-store.payments.test.ts', 'PostgreSQL'],
  ],
  VoucherRecords: [
    vouchersContract,
    ['SqlVoucherRecords', 'packages/adapters-sqlite/src/open-sqlite-store.vouchers.test.ts', 'SQLite file'],
    ['SqlVoucherRecords', 'packages/adapters-postgres/src/open-postgres-store.vouchers.test.ts', 'PostgreSQL'],
  ],
  WebhookQueue: [webhooksContract, ['SqlWebhookQueue', ...WEBHOOKS.sqlite], ['SqlWebhookQueue', ...WEBHOOKS.postgres]],
  WebhookRecords: [webhooksContract, ['SqlWebhookRecords', ...WEBHOOKS.sqlite], ['SqlWebhookRecords', ...WEBHOOKS.postgres]],
};

const adapters = findAdapters(findPorts());

describe('the contract of a port with several adapters or databases', () => {
  it('exists', () => {
    expect(Object.keys(CONTRACTS).toSorted()).toEqual(portsOfSeveral(adapters));
  });

  it.each(Object.entries(CONTRACTS))('is listed here with every adapter of the port: %s', (port, [, ...runs]) => {
    const served = adapters.filter((found) => found.port === port).map(({ adapter }) => adapter);
    expect([...new Set(runs.map(([adapter]) => adapter))].toSorted()).toEqual(served.toSorted());
  });

  it.each(Object.entries(CONTRACTS))('is run by the test of each listed adapter: %s', (_port, [contract, ...runs]) => {
    expect(runs.filter(([, testFile, name]) => !runsContract(testFile, contract.name, name))).toEqual([]);
  });
});

test.each([
  ['one port', 'export class FileLedger implements Ledger {', [{ port: 'Ledger', adapter: 'FileLedger' }]],
  ['several ports', 'class Both extends Other implements PlatformState, OperatorControls {', [{ port: 'PlatformState', adapter: 'Both' }, { port: 'OperatorControls', adapter: 'Both' }]],
  ['no port', 'class Alone {\n}\nconst text = "class that implements nothing";', []],
])('a class is found as an adapter of each port that it implements: %s', (_ports, source, found) => {
  expect(adaptersIn(source)).toEqual(found);
});
