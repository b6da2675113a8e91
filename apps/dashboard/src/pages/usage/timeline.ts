import { amountOf, microUnits } from '../../format/amount';
import type { UsageDetail } from './usage-rows';

export interface TimelineStep {
  readonly kind: 'admitted' | 'started' | 'firstOutput' | 'ended' | 'settled';
  readonly at: string;
  /** Milliseconds since the first step. */
  readonly after: number;
}

type Times = Pick<UsageDetail, 'admitted_at' | 'started_at' | 'first_output_at' | 'ended_at' | 'settled_at'>;

/** Steps of a request in order, without steps whose time is unknown. */
export function timelineOf(record: Times): readonly TimelineStep[] {
  const known = [
    ['admitted', record.admitted_at], ['started', record.started_at], ['firstOutput', record.first_output_at], ['ended', record.ended_at], ['settled', record.settled_at],
  ] as const;
  const steps = known.flatMap(([kind, at]) => (at === null ? [] : [{ kind, at, time: Date.parse(at) }])).toSorted((one, other) => one.time - other.time);
  const begin = steps[0]?.time ?? 0;
  return steps.map(({ kind, at, time }) => ({ kind, at, after: time - begin }));
}

/** Released part of the reservation; `null` if the reservation is unknown, or if more was debited than reserved. */
export function releasedOf({ reserved, svc_tokens_debited: debited }: Pick<UsageDetail, 'reserved' | 'svc_tokens_debited'>): string | null {
  if (reserved === null) return null;
  const units = microUnits(reserved) - microUnits(debited);
  return units < 0n ? null : amountOf(units);
}
