import * as core from '@tollgate/core';
import { mkdirSync } from 'node:fs';
import { Kysely } from 'kysely';
import Database from 'better-sqlite3';
import * as memory from '@tollgate/adapters-memory';
import * as wireChat from '@tollgate/wire-chat';
import { fetch } from 'undici';
