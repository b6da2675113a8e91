import * as core from '@tollgate/core';
import * as common from '@tollgate/sql-common';
import { setTimeout } from 'node:timers/promises';
import { Kysely } from 'kysely';
import { Pool } from 'pg';
import * as sqlite from '@tollgate/adapters-sqlite';
import * as wireChat from '@tollgate/wire-chat';
import { fetch } from 'undici';
