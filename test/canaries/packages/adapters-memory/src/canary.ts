import * as core from '@tollgate/core';
import { EventEmitter } from 'node:events';
import * as sqlite from '@tollgate/adapters-sqlite';
import * as wireKit from '@tollgate/wire-kit';
const kysely = await import('kysely');
