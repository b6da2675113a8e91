import type { AccountId, ApiKeyId, Change, PlanId } from '@tollgate/core';

export function encodeChange({ kind, id }: Change): string {
  return id === null ? kind : `${kind}:${id}`;
}

/** `null` for a message of a form that is not known here, as a newer release may send it. */
export function decodeChange(message: string): Change | null {
  if (message === 'platform') return { kind: 'platform', id: null };
  const end = message.indexOf(':');
  const id = message.slice(end + 1);
  if (end < 0 || id === '') return null;
  switch (message.slice(0, end)) {
    case 'key': return { kind: 'key', id: id as ApiKeyId };
    case 'account': return { kind: 'account', id: id as AccountId };
    case 'plan': return { kind: 'plan', id: id as PlanId };
    default: return null;
  }
}
