import { Databases } from '@tollgate/sql-common';

/** Loads adapters and their drivers only when a test uses them. */
export const databases = new Databases({ sqlite: () => import('@tollgate/adapters-sqlite'), postgres: () => import('@tollgate/adapters-postgres') });
