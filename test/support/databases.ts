import { Databases } from '@tollgate/sql-common';

/** Adapters and drivers are loaded on first use. */
export const databases = new Databases({ sqlite: () => import('@tollgate/adapters-sqlite'), postgres: () => import('@tollgate/adapters-postgres') });
