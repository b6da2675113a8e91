import * as core from '@tollgate/core';
import * as common from '@tollgate/sql-common';
import { mkdirSync } from 'node:fs';
import { Kysely } from 'kysely';
import Database from 'better-sqlite3';
import * as memory from '@tollgate/adapters-memory';
import * as postgres from '@tollgate/adapters-postgres';
import { Pool } from 'pg';
