import { Databases } from '@tollgate/sql-common';

/** The adapter of a database, and its driver, are loaded when a database of its kind is opened. */
export const databases = new Databases({ sqlite: () => import('@tollgate/adapters-sqlite'), postgres: () => import('@tollgate/adapters-postgres') });
