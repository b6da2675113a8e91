import { automaticTopUp as texts } from '#texts/automatic-top-up';
import type { Reply } from '../api/call';

type TopUp = Pick<Reply<'readAutomaticTopUp'>, 'enabled' | 'stopped' | 'waits_for' | 'next_try_at'>;

/** State of automatic top-up as one sentence. */
export function topUpState({ enabled, stopped, waits_for: waitsFor, next_try_at: nextTry }: TopUp): string {
  if (!enabled) return (stopped === null ? undefined : texts.stops[stopped.reason]) ?? texts.states['off'] ?? '';
  return texts.states[waitsFor ?? (nextTry === null ? 'on' : 'due')] ?? '';
}
