import { instant, type Maintenance } from '@tollgate/core';

/** Maintenance that has begun and lasts until an operator ends it. */
export const MAINTENANCE: Maintenance = { startsAt: instant(0), endsAt: null, message: null };
