import * as core from '@tollgate/core';
import { createHash } from 'node:crypto';
import { Kysely } from 'kysely';
import Database from 'better-sqlite3';
import { Pool } from 'pg';
import * as sqlite from '@tollgate/adapters-sqlite';
import * as wireChat from '@tollgate/wire-chat';
