import type { Kysely } from 'kysely';
import type { Migration } from 'kysely/migration';
import { createAccounts, createApiKeys, createAuditTrail, createLedgerEntries, createPlatform, createReservations } from './0001-initial.js';
import { createRollUps, createUsageRecords } from './0001-usage.js';
import {
  addIncidentLimitSetting, addReasoningWithheld, anchorAuditTrail, createIdempotencyKeys, createInstallation, createMailOutbox,
  dropIndexesByModelAndKey,
} from './0003-to-0009.js';
import { addAccountDeletion, addAuditTexts, addKeyLimits, addKeyModels, createPeople } from './0010-to-0013.js';
import { addOperatorControls, addSecondFactors, createSignInMethods, indexOperatorLookups, indexUsageOfAllAccounts } from './0014-to-0019.js';
import {
  addSuspensionReasons, addUsageSettlements, createPlaygroundKeys, createSignupCredits, createUsageTotals, dateUnverifiedPeople,
} from './0020-to-0024.js';
import type { SchemaDialect } from './migrate.js';

/**
 * Every step the schema took, by a name that sorts in order. Steps that have been released are never edited.
 * There is no way back: an older program refuses a newer database.
 */
export function migrationsFor(dialect: SchemaDialect): Readonly<Record<string, Migration>> {
  return {
    '0001-initial': {
      up: async (db: Kysely<unknown>) => {
        await createAccounts(db);
        await createApiKeys(db);
        await createReservations(db);
        await createLedgerEntries(db, dialect);
        await createUsageRecords(db, dialect);
        await createRollUps(db);
        await createPlatform(db);
        await createAuditTrail(db, dialect);
      },
    },
    ...dialect.ownSteps,
    '0003-idempotency': { up: createIdempotencyKeys },
    '0004-fewer-usage-indexes': { up: dropIndexesByModelAndKey },
    '0005-withheld-reasoning': { up: addReasoningWithheld },
    '0006a-incident-limit-settings': { up: addIncidentLimitSetting },
    '0006b-audit-anchor': { up: anchorAuditTrail },
    '0008-mail-outbox': { up: createMailOutbox },
    '0009-installation': { up: createInstallation },
    '0010-account-deletion': { up: (db: Kysely<unknown>) => addAccountDeletion(db, dialect) },
    '0011a-key-models': { up: addKeyModels },
    '0011b-key-limits': { up: addKeyLimits },
    '0012-people': { up: createPeople },
    '0013-audit-texts': { up: (db: Kysely<unknown>) => addAuditTexts(db, dialect) },
    '0014-second-factors': { up: addSecondFactors },
    '0015-sign-in-methods': { up: createSignInMethods },
    '0016-usage-of-all-accounts': { up: indexUsageOfAllAccounts },
    '0017-operator-controls': { up: (db: Kysely<unknown>) => addOperatorControls(db, dialect) },
    '0019-operator-lookups': { up: indexOperatorLookups },
    '0020-usage-totals': { up: createUsageTotals },
    '0021-usage-settlements': { up: addUsageSettlements },
    '0022-signup-credits': { up: createSignupCredits },
    '0023-playground-keys': { up: createPlaygroundKeys },
    '0024a-unverified-people': { up: dateUnverifiedPeople },
    '0024b-suspension-reasons': { up: addSuspensionReasons },
  };
}
