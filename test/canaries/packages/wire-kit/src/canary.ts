import * as core from '@tollgate/core';
export * from 'node:http';
export { Kysely } from 'kysely';
import * as wireChat from '@tollgate/wire-chat';
