import { Badge } from '@mantine/core';
import { common } from '#texts/common';

type Tone = 'good' | 'warning' | 'bad' | 'neutral';

const TONES: Record<string, Tone> = {
  active: 'good', good: 'good', completed: 'good', closed: 'good', sent: 'good',
  expired: 'warning', 'pending-deletion': 'warning', 'email-unverified': 'warning', planned: 'warning', waiting: 'warning',
  revoked: 'bad', blocked: 'bad', suspended: 'bad', deleted: 'bad', open: 'bad', failed: 'bad', on: 'warning',
};
const COLORS: Record<Tone, string> = { good: 'green', warning: 'yellow', bad: 'red', neutral: 'gray' };

export function Status({ value, tone }: { readonly value: string; readonly tone?: Tone }) {
  return <Badge color={COLORS[tone ?? TONES[value] ?? 'neutral']}>{common.states[value] ?? value.replaceAll(/[-_]/g, ' ')}</Badge>;
}
