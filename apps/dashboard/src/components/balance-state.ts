import type { Me } from '../session/person';

type UsualRequest = Me['usual_request'];

/** Owners see a warning this many days before requests will be refused. */
const WARNED_DAYS = 3;

/** The pace of spending matters only if the balance pays for fewer usual requests than this. */
const FEW_REQUESTS = 1000;

/** `refused`: the balance does not pay for one usual request. */
type BalanceState = 'enough' | 'refused' | { readonly refusedInDays: number };

export function isLow(usual: UsualRequest): boolean {
  return usual !== null && usual.requests_left > 0 && usual.requests_left < FEW_REQUESTS;
}

/** `days` is the overview's `runs_out_in_days`; `null` where it is not known. */
export function balanceState(usual: UsualRequest, days: number | null): BalanceState {
  if (usual === null) return 'enough';
  if (usual.requests_left === 0) return 'refused';
  return days !== null && days <= WARNED_DAYS ? { refusedInDays: days } : 'enough';
}
