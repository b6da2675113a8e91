import { ContainerModule } from 'inversify';
import { AllAccountsUsage } from '@tollgate/core';
import { databases } from './databases.js';
import { DatabaseUnavailableError, NewerDatabaseError } from '@tollgate/sql-common';
import { WalHealth } from '../observability/health-reports.js';
import { StartRefused } from '../http/server/listening.js';
import { openInstallationSecret } from '../adapters/installation-secret.js';
import { openOutbox } from '../adapters/settlement-outbox.js';
import { services } from './services.js';

/** Rejects with `StartRefused` where the operator can mend what stops a database from being opened. */
async function openingDatabase<Opened>(opening: Promise<Opened>): Promise<Opened> {
  try {
    return await opening;
  } catch (thrown) {
    const mendable = thrown instanceof DatabaseUnavailableError || thrown instanceof NewerDatabaseError;
    throw mendable ? new StartRefused([`DATABASE_URL: ${thrown.message}`], { cause: thrown }) : thrown;
  }
}

/** What outlives the process. */
export const storageModule = new ContainerModule(({ bind }) => {
  bind(WalHealth).toDynamicValue((context) => new WalHealth(context.get(services.log)));
  bind(services.store).toDynamicValue(async (context) => {
    const log = context.get(services.log);
    const store = await openingDatabase(databases.open(context.get(services.configuration).database, {
      role: 'gateway', clock: context.get(services.clock), processId: context.get(services.processId), elapsed: context.get(services.elapsed), walReport: context.get(WalHealth),
      onMigrated: (step) => log.info({ step }, 'the database schema was brought up to date'),
    }));
    context.get(services.resources).defer(() => store.close());
    return store;
  });
  bind(services.secret).toDynamicValue((context) => openingDatabase(openInstallationSecret({
    secret: context.get(services.configuration).secret, registry: context.get(services.store).installation, clock: context.get(services.clock), log: context.get(services.log),
  })));
  bind(services.outbox).toDynamicValue(async (context) => {
    const outbox = await openOutbox({
      configuration: context.get(services.configuration), ledger: context.get(services.store).ledger, clock: context.get(services.clock), log: context.get(services.log),
    });
    if (outbox !== null) context.get(services.resources).defer(() => outbox.close());
    return outbox;
  });
  bind(services.accounts).toDynamicValue((context) => context.get(services.store).accounts);
  bind(services.erasure).toDynamicValue((context) => context.get(services.store).erasure);
  bind(services.keys).toDynamicValue((context) => context.get(services.store).keys);
  bind(services.ledger).toDynamicValue((context) => context.get(services.outbox) ?? context.get(services.store).ledger);
  bind(services.ledgerAudit).toDynamicValue((context) => context.get(services.store).ledgerAudit);
  bind(services.usage).toDynamicValue((context) => context.get(services.store).usage);
  bind(AllAccountsUsage).toDynamicValue((context) => new AllAccountsUsage(context.get(services.store).usageTotals, context.get(services.clock)));
  bind(services.idempotency).toDynamicValue((context) => context.get(services.store).idempotency);
  bind(services.mailOutbox).toDynamicValue((context) => context.get(services.store).mail);
  bind(services.personRecords).toDynamicValue((context) => context.get(services.store).people);
  bind(services.sessionRecords).toDynamicValue((context) => context.get(services.store).sessions);
  bind(services.factorRecords).toDynamicValue((context) => context.get(services.store).factors);
  bind(services.controls).toDynamicValue((context) => context.get(services.store).controls);
  bind(services.platform).toDynamicValue((context) => context.get(services.store).platform);
});
