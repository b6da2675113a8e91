import { contract } from '@tollgate/api-contract';
import { tableOf } from '../../vite/route-table';

/** The table of routes as the build generates it. */
export const routeTable = tableOf(contract);
