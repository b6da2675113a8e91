import type { ProcessId, ReservationProgress } from '@tollgate/core';
import { aService, outputUsage } from '../../builders/an-ending.js';
import type { StoreDriver } from '../store-subject.js';

/** An owner beside the one whose lease is good: the tests say for how long this one lives. */
export const OTHER_OWNER = 'process_other' as ProcessId;
export const ONE_MICRO_TOKEN = '0.000001';

/** Opens the store that the test is about; its books must balance when the test is over. */
export type Start = () => Promise<StoreDriver>;

/** A checkpoint of a request that has been served so many tokens. */
export function progressOf(tokens: number): ReservationProgress {
  return { service: aService(), usage: outputUsage(tokens, { source: 'counted' }) };
}
