import { Badge } from '@mantine/core';
import { webhooks as texts } from '#texts/webhooks';
import type { Delivery } from './webhook';
import classes from './webhooks.module.css';

const COLORS: Readonly<Record<Delivery['status'], string>> = { waiting: 'yellow', delivered: 'green', failed: 'red' };

export function DeliveryStatus({ delivery: { status } }: { readonly delivery: Pick<Delivery, 'status'> }) {
  return <Badge className={classes['badge'] ?? ''} color={COLORS[status]}>{texts.deliveries.states[status]}</Badge>;
}
