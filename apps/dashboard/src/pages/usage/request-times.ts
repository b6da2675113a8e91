import { duration } from '../../format/duration';
import type { UsageRow } from './usage-rows';

type Times = Pick<UsageRow, 'started_at' | 'first_output_at' | 'ended_at'>;

/** Time from the arrival of the request to its end. */
export function durationOf({ started_at: from, ended_at: to }: Times): string {
  return between(from, to);
}

/** Time from the arrival of the request to its first output; `null` without output. */
export function firstTokenOf({ started_at: from, first_output_at: to }: Times): string | null {
  return to === null ? null : between(from, to);
}

/** At least zero: the clocks of several gateways may differ. */
function between(from: string, to: string): string {
  return duration(Math.max(0, Date.parse(to) - Date.parse(from)));
}
