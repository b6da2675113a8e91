import { contract } from '@tollgate/api-contract';
import { tableOf } from '../../vite/route-table';

/** As the build generates it. */
export const routeTable = tableOf(contract);
