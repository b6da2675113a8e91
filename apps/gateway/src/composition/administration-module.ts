import { ContainerModule } from 'inversify';
import { AccountAdministration, AccountDeletion, AccountSearch, AccountStandings } from '@tollgate/core';
import { services } from './services.js';

/** How operators manage accounts. */
export const administrationModule = new ContainerModule(({ bind }) => {
  bind(services.lookups).toDynamicValue((context) => context.get(services.store).lookups);
  bind(AccountSearch).toDynamicValue((context) => new AccountSearch({
    accounts: context.get(services.accounts), people: context.get(services.people), lookups: context.get(services.lookups),
  }));
  bind(services.administration).toDynamicValue((context) => ({
    search: context.get(AccountSearch), lookups: context.get(services.lookups), accountAdministration: context.get(AccountAdministration),
    standings: context.get(AccountStandings), deletions: context.get(AccountDeletion), auditTrail: context.get(services.store).auditTrail,
    deletionGraceMilliseconds: context.get(services.settings).deletionGraceMilliseconds,
  }));
});
