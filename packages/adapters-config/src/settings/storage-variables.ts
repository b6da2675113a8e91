import { z } from 'zod';
import { secretText } from './secret-file.js';
import { variable } from './variable.js';
import { databaseLocation } from './database-location.js';
import { redisLocation } from './redis-location.js';

/** What is off without the installation's secret. */
export const NEEDS_SECRET = 'passkeys, second factors, sign-in through an issuer, webhooks, vouchers, the sign-up credit and sealed reasoning';

export const STORAGE_VARIABLES = {
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
    meaning: 'The file with the secret of the installation, from which keys are derived: at least 32 random bytes in hexadecimal or base64. Without it, secret in the folder of the database file, data/secret by default, which the first start creates; with PostgreSQL, none.',
  }),
  SECRET: variable(secretText, {
    default: null, unit: null,
    meaning: `The secret itself, instead of SECRET_FILE, as openssl rand -hex 32 prints it. Gateways that share a PostgreSQL database must share it; without it, ${NEEDS_SECRET} are off there.`,
  }),
  SECRET_PREVIOUS: variable(secretText, {
    default: null, unit: null,
    meaning: 'The previous secret, which is still accepted during a rotation.',
  }),
  REDIS_URL: variable(redisLocation, {
    default: null, unit: null,
    meaning: 'Redis, for several gateways that share one database: redis://HOST:PORT, rediss:// for TLS, or the path of a Unix socket. Without it each process counts limits by itself.',
  }),
} as const;
