import { type Discover, mailAppearance, type Settings } from '@tollgate/adapters-config';
import { administrationModule, administrationServices as services, createServiceContainer, serviceModule, systemModule } from '@tollgate/composition';
import {
  AccountAdministration, AccountDeletion, AccountNotes, AccountStandings, type Actor, type ApiKeySecretGenerator, type AuditedBy, Blocklist, type Catalogue, type CatalogueSource,
  type Clock, COMMAND_LINE_ACTOR_ID, foldEmail, type IdGenerator, KeyManagement, type PaymentDesk, type PersonId, Statements, Vouchers,
} from '@tollgate/core';
import { FactorNotices, type IdentityIdGenerator, Machines, MailResends, Operators, OwnerAddresses, type Person, Webhooks } from '@tollgate/identity';
import { AesSealer, type InstallationSecret, UrlWebhookTargets } from '@tollgate/adapters-node';
import type { SqlStore } from '@tollgate/sql-common';
import { readInstallationSecret } from './installation-secret.js';
import { statementPrinters } from './statement-printers.js';
import { openPaymentDesk } from './payment-desk.js';
import { openDatabase } from './open-database.js';
import { askUpstream, catalogueOf, type ProgramContext, settingsOf } from './program-settings.js';
import { misuse } from './command-failure.js';

const NAME = /^[\w.:-]{1,64}$/;

/**
 * The actor of audit entries. Its id is the id of the operator that `--as` names, the name of a job, or `command-line` without `--as`. The operating
 * system's user name is stored as an erasable text.
 */
async function operatorActor({ people }: Pick<SqlStore, 'people'>, userName: string, as: string | null): Promise<Actor> {
  const origin = { place: 'command-line', user: userName, address: null, via: null } as const;
  if (as === null) return { kind: 'operator', id: COMMAND_LINE_ACTOR_ID, origin };
  if (namesPerson(as)) return { kind: 'operator', id: (await operatorNamed(people, as)).id, origin };
  if (!NAME.test(as)) throw misuse('option \'--as <operator>\' takes an operator\'s e-mail address or id, or the name of a job: at most 64 letters, digits and the characters . _ : -');
  return { kind: 'operator', id: as, origin };
}

/** Names of jobs contain no `@` and do not start with `person_`, so they never match a person. */
function namesPerson(as: string): boolean {
  return as.includes('@') || as.startsWith('person_');
}

async function operatorNamed(people: SqlStore['people'], emailOrId: string): Promise<Person> {
  const record = await (emailOrId.includes('@') ? people.findByEmail(foldEmail(emailOrId)) : people.find(emailOrId as PersonId));
  if (record?.person.role !== 'operator') throw misuse(`option '--as <operator>': there is no operator ${emailOrId}`);
  return record.person;
}

/** The services that commands use, with one open database. */
export interface OperatorSession {
  readonly store: SqlStore;
  /** The catalogue without the models that the server of `UPSTREAM_BASE_URL` lists. */
  readonly catalogue: CatalogueSource;
  /** The catalogue with the models listed by `UPSTREAM_BASE_URL`. Rejects if that server does not respond. */
  readonly modelsOnOffer: () => Promise<Catalogue>;
  readonly accounts: AccountAdministration;
  readonly standings: AccountStandings;
  readonly blocklist: Blocklist;
  readonly deletions: AccountDeletion;
  readonly addresses: OwnerAddresses;
  readonly notes: AccountNotes;
  /** Time from a request for deletion until the deletion is due. */
  readonly deletionGraceMilliseconds: number;
  readonly keys: KeyManagement;
  readonly operators: Operators;
  readonly machines: Machines;
  readonly vouchers: Vouchers;
  readonly statements: Statements;
  /** Opens the use cases of payments. Loads the library of the payment provider. */
  readonly paymentDesk: () => Promise<PaymentDesk>;
  readonly webhooks: Webhooks;
  /** Stores mail about second factors; a running gateway delivers it. */
  readonly notices: FactorNotices;
  readonly mailResends: MailResends;
  /** The URL of the dashboard for browsers. Throws a misuse if the settings lack it. */
  readonly publicUrl: () => string;
  readonly clock: Clock;
  readonly ids: IdGenerator & ApiKeySecretGenerator & IdentityIdGenerator;
  /** The audit log records every change under this actor. */
  readonly actor: Actor;
  /** An act of the actor, at the current time. */
  act(): AuditedBy;
  close(): Promise<void>;
}

/** Lists no models: most commands need only plans, which do not depend on models. */
const DISCOVER_NOTHING: Discover = ({ baseUrl }) => Promise.resolve({ baseUrl, models: [] });

/** Scheme, host and port of the dashboard. */
function publicUrlOf({ port, dashboard: { publicUrl } }: Settings): string {
  if (publicUrl !== null) return publicUrl;
  if (port === 0) throw misuse('PUBLIC_URL: must be set if PORT is 0, because links contain it');
  return `http://localhost:${port}`;
}

/** What the command line binds in addition to the shared modules, for one open database. */
interface SessionParts {
  readonly store: SqlStore;
  readonly catalogue: CatalogueSource;
  readonly settings: Settings;
  readonly secret: InstallationSecret | null;
}

function sessionModule({ store, catalogue, settings, secret }: SessionParts) {
  return serviceModule((make) => {
    make(services.accounts, {}, () => store.accounts);
    make(services.accountNoteRecords, {}, () => store.accountNotes);
    make(services.erasure, {}, () => store.erasure);
    make(services.keys, {}, () => store.keys);
    make(services.ledger, {}, () => store.ledger);
    make(services.controls, {}, () => store.controls);
    make(services.personRecords, {}, () => store.people);
    make(services.machineRecords, {}, () => store.machines);
    make(services.allowsMachineKeys, {}, () => settings.adminKeys);
    make(services.statementRecords, {}, () => store.statements);
    make(services.statementPrinters, { clock: services.clock }, (parts) => statementPrinters(parts.clock, settings.brand.tokenWord.many));
    make(services.statementIssuer, {}, () => settings.statementIssuer);
    make(services.voucherRecords, {}, () => store.vouchers);
    make(services.webhookRecords, {}, () => store.webhooks);
    make(services.webhookSealer, {}, () => (secret === null ? null : new AesSealer(secret.keysFor('webhook'))));
    make(services.webhookTargets, {}, () => new UrlWebhookTargets(settings.webhookNetworks));
    make(services.catalogue, {}, () => catalogue);
    make(services.publicUrl, {}, () => () => publicUrlOf(settings));
    make(services.signUpPolicy, {}, () => settings.dashboard.signUp);
    make(services.mailOutbox, {}, () => store.mail);
    make(services.mailSite, {}, () => {
      const { look } = mailAppearance(settings.brand);
      return () => ({ baseUrl: publicUrlOf(settings), product: settings.brand.name, tokenWord: settings.brand.tokenWord, templates: settings.mailTemplates, look });
    });
    // No signal: the gateway polls for mail stored by other processes.
    make(services.mailStored, {}, () => () => undefined);
  });
}

/** Opens the gateway's database, whether or not the gateway runs. */
export async function openSession(programContext: ProgramContext, operator: string | null): Promise<OperatorSession> {
  const { settings } = settingsOf(programContext);
  const catalogue = await catalogueOf(programContext, DISCOVER_NOTHING);
  const container = createServiceContainer(systemModule, administrationModule);
  const [clock, ids] = [container.get(services.clock), container.get(services.ids)];
  const store = await openDatabase(settings, { clock, processId: ids.processId(), whenMissing: 'refuse' });
  try {
    const actor = await operatorActor(store, programContext.userName, operator);
    container.load(sessionModule({ store, catalogue, settings, secret: await readInstallationSecret(settings.secret, store.installation) }));
    return {
      store, catalogue, clock, ids, actor,
      modelsOnOffer: async () => (await catalogueOf(programContext, askUpstream)).current(),
      accounts: container.get(AccountAdministration),
      standings: container.get(AccountStandings),
      blocklist: container.get(Blocklist),
      deletions: container.get(AccountDeletion),
      addresses: container.get(OwnerAddresses),
      notes: container.get(AccountNotes),
      deletionGraceMilliseconds: settings.deletionGraceMilliseconds,
      keys: container.get(KeyManagement),
      operators: container.get(Operators),
      machines: container.get(Machines),
      vouchers: container.get(Vouchers),
      statements: container.get(Statements),
      paymentDesk: () => openPaymentDesk({ store, settings, ids, clock, catalogue, publicUrl: container.get(services.publicUrl) }),
      webhooks: container.get(Webhooks),
      notices: container.get(FactorNotices),
      mailResends: container.get(MailResends),
      publicUrl: container.get(services.publicUrl),
      act: () => ({ actor, at: clock.now() }),
      close: () => store.close(),
    };
  } catch (thrown) {
    await store.close();
    throw thrown;
  }
}
