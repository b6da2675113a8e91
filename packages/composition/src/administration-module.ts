import { AccountAdministration, AccountDeletion, AccountNotes, AccountStandings, Blocklist, KeyManagement, Statements, Vouchers } from '@tollgate/core';
import { FactorNotices, Machines, MailResends, Operators, OwnerAddresses, PersonLinks, Webhooks } from '@tollgate/identity';
import { administrationServices } from './administration-services.js';
import { serviceModule } from './service-module.js';

const { accounts, accountNoteRecords, erasure, keys, ledger, controls, catalogue, ids, hasher, clock, personRecords, machineRecords, allowsMachineKeys, secretTokens, voucherRecords, webhookRecords, webhookSealer, webhookTargets, statementRecords, statementPrinters, statementIssuer, signUpPolicy, mailOutbox, mailSite, mailStored } = administrationServices;

export const administrationModule = serviceModule((make) => {
  make(KeyManagement, { keys, ids, hasher, clock }, (parts) => new KeyManagement(parts));
  make(AccountAdministration, { accounts, ledger, catalogue, ids, clock }, (parts) => new AccountAdministration(parts));
  make(AccountNotes, { records: accountNoteRecords, ids, clock }, (parts) => new AccountNotes(parts));
  make(AccountStandings, { accounts, clock }, (parts) => new AccountStandings(parts));
  make(AccountDeletion, { accounts, erasure, clock }, (parts) => new AccountDeletion(parts));
  make(Blocklist, { controls, keys, clock, standings: AccountStandings }, (parts) => new Blocklist(parts));
  make(Operators, { records: personRecords, tokens: secretTokens, ids }, (parts) => new Operators(parts));
  make(Machines, { records: machineRecords, tokens: secretTokens, ids, allowsKeys: allowsMachineKeys }, (parts) => new Machines(parts));
  make(Vouchers, { records: voucherRecords, codes: ids, tokens: secretTokens }, (parts) => new Vouchers(parts));
  make(Webhooks, { records: webhookRecords, ids, sealer: webhookSealer, targets: webhookTargets }, (parts) => new Webhooks(parts));
  make(Statements, { records: statementRecords, printers: statementPrinters, issuer: statementIssuer, clock }, (parts) => new Statements(parts));
  make(FactorNotices, { ids, site: mailSite, onStored: mailStored }, (parts) => new FactorNotices(parts));
  make(PersonLinks, { records: personRecords, tokens: secretTokens, signUp: signUpPolicy }, (parts) => new PersonLinks(parts));
  make(OwnerAddresses, { accounts, records: personRecords, links: PersonLinks, outbox: mailOutbox, ids, clock, site: mailSite, onStored: mailStored }, (parts) => new OwnerAddresses(parts));
  make(MailResends, { records: personRecords, links: PersonLinks, outbox: mailOutbox, ids, clock, site: mailSite, onStored: mailStored }, (parts) => new MailResends(parts));
});
