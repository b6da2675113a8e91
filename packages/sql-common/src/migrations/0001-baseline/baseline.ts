import type { Kysely } from 'kysely';
import type { SchemaDialect } from '../../schema/schema-dialect.js';
import { createAccountNotes } from './account-notes.js';
import { createAccounts } from './accounts.js';
import { createAuditTrail } from './audit.js';
import { createCredits } from './credits.js';
import { createConsents } from './consents.js';
import { createEvents } from './events.js';
import { createLedger } from './ledger.js';
import { createMachines } from './machines.js';
import { createMailOutbox } from './mail.js';
import { createNotices } from './notices.js';
import { createPayments } from './payments.js';
import { createPeople } from './people.js';
import { createPlatform } from './platform.js';
import { createRequests } from './requests.js';
import { createStatements } from './statements.js';
import { createTopUps } from './top-ups.js';
import { createUsage } from './usage.js';
import { createUsageFeed } from './usage-feed.js';
import { createVouchers } from './vouchers.js';
import { createWebhooks } from './webhooks.js';

/** The schema of the first release. */
export async function createBaseline(db: Kysely<unknown>, dialect: SchemaDialect): Promise<void> {
  await createAccounts(db);
  await createAccountNotes(db);
  await createLedger(db, dialect);
  await createEvents(db, dialect);
  await createUsage(db, dialect);
  await createUsageFeed(db, dialect);
  await createRequests(db, dialect);
  await createPlatform(db);
  await createAuditTrail(db, dialect);
  await createMailOutbox(db);
  await createNotices(db);
  await createPeople(db);
  await createConsents(db);
  await createMachines(db);
  await createWebhooks(db);
  await createStatements(db, dialect);
  await createPayments(db, dialect);
  await createTopUps(db);
  await createVouchers(db);
  await createCredits(db, dialect);
}
