import type {
  AccountErasure, AccountNoteRecords, AccountRepository, ApiKeySecretGenerator, CatalogueSource, Clock, IdGenerator, KeyDirectory, KeyRepository, Ledger, OperatorControls, SecretHasher,
  PaymentIds, StatementIssuer, StatementPrinters, StatementRecords, VoucherCodeGenerator, VoucherRecords,
} from '@tollgate/core';
import type { UrlWebhookTargets } from '@tollgate/adapters-node';
import type { IdentityIdGenerator, MachineRecords, MailOutbox, MailSite, PersonRecords, SecretSealer, SecretTokens, SignUpPolicy, WebhookRecords } from '@tollgate/identity';
import { identifier } from './service-module.js';

/** Identifiers of the bindings and dependencies of `systemModule` and `administrationModule` that are not classes. */
export const administrationServices = {
  clock: identifier<Clock>('clock'),
  ids: identifier<IdGenerator & ApiKeySecretGenerator & IdentityIdGenerator & PaymentIds & VoucherCodeGenerator>('ids'),
  hasher: identifier<SecretHasher>('hasher'),
  secretTokens: identifier<SecretTokens>('secretTokens'),
  catalogue: identifier<CatalogueSource>('catalogue'),
  accounts: identifier<AccountRepository>('accounts'),
  accountNoteRecords: identifier<AccountNoteRecords>('accountNoteRecords'),
  erasure: identifier<AccountErasure>('erasure'),
  keys: identifier<KeyRepository & KeyDirectory>('keys'),
  ledger: identifier<Ledger>('ledger'),
  controls: identifier<OperatorControls>('controls'),
  personRecords: identifier<PersonRecords>('personRecords'),
  machineRecords: identifier<MachineRecords>('machineRecords'),
  /** The setting `ADMIN_KEYS`. */
  allowsMachineKeys: identifier<boolean>('allowsMachineKeys'),
  voucherRecords: identifier<VoucherRecords>('voucherRecords'),
  webhookRecords: identifier<WebhookRecords>('webhookRecords'),
  /** Seals the secrets of webhooks; `null` without the installation's secret. */
  webhookSealer: identifier<SecretSealer | null>('webhookSealer'),
  webhookTargets: identifier<UrlWebhookTargets>('webhookTargets'),
  statementRecords: identifier<StatementRecords>('statementRecords'),
  statementPrinters: identifier<StatementPrinters>('statementPrinters'),
  statementIssuer: identifier<StatementIssuer>('statementIssuer'),
  /** Scheme, host and port of the dashboard. */
  publicUrl: identifier<() => string>('publicUrl'),
  /** The setting `SIGN_UP`. */
  signUpPolicy: identifier<SignUpPolicy>('signUpPolicy'),
  mailOutbox: identifier<MailOutbox>('mailOutbox'),
  mailSite: identifier<() => MailSite>('mailSite'),
  /** Called when a message was stored for delivery. */
  mailStored: identifier<() => void>('mailStored'),
};
