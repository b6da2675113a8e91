import type { AccountId, ApiKeyId, Change, PlanId } from '@tollgate/core';

/** Returns `KIND:ID`, such as `key:key_1`, or `platform`. The database's triggers use the same form. */
export function encodeChange({ kind, id }: Change): string {
  return id === null ? kind : `${kind}:${id}`;
}

/** Returns `null` for an unknown form, such as that of a newer release. */
export function decodeChange(message: string): Change | null {
  if (message === 'platform') return { kind: 'platform', id: null };
  const end = message.indexOf(':');
  const [kind, id]: readonly [string, string] = [message.slice(0, Math.max(0, end)), message.slice(end + 1)];
  if (id === '') return null;
  switch (kind) {
    case 'key': return { kind, id: id as ApiKeyId };
    case 'account': return { kind, id: id as AccountId };
    case 'plan': return { kind, id: id as PlanId };
    default: return null;
  }
}
