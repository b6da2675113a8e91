import * as core from '@tollgate/core';
import { EventEmitter } from 'node:events';
import * as sql from '@tollgate/adapters-sql';
import * as wireKit from '@tollgate/wire-kit';
const kysely = await import('kysely');
