import { Badge } from '@mantine/core';
import { payments as texts } from '#texts/payments';

const COLORS: Readonly<Record<string, string>> = { paid: 'green', 'dispute-won': 'green', open: 'gray', expired: 'gray', failed: 'gray', unbookable: 'red', disputed: 'red', 'dispute-lost': 'red' };

export function PaymentStatus({ state }: { readonly state: string }) {
  return <Badge color={COLORS[state] ?? 'yellow'}>{texts.states[state] ?? state}</Badge>;
}
