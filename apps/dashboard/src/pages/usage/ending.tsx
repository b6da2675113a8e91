import { Badge } from '@mantine/core';
import { usage } from '#texts/usage';
import type { UsageRow } from './usage-rows';

type Ending = UsageRow['end_reason'];

const COLORS: Readonly<Record<Ending, string>> = {
  completed: 'green', balance_exhausted: 'yellow', key_limit_reached: 'yellow', client_left: 'yellow', request_rejected: 'yellow', shutdown: 'yellow',
  provider_failed: 'red', provider_unavailable: 'red', crashed: 'red', internal_error: 'red',
};

/** How a request ended. */
export function EndingBadge({ reason }: { readonly reason: Ending }) {
  return <Badge color={COLORS[reason]}>{usage.endings[reason]}</Badge>;
}
