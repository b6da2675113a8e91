import type { Input } from '../../../api/call';
import { instantsOf } from '../../../format/day';

/** Filters as in the URL. */
export interface AuditSearch {
  readonly account?: string;
  readonly actor?: string;
  readonly actor_kind?: string;
  readonly action?: string;
  /** Inclusive UTC days. */
  readonly start?: string;
  readonly end?: string;
}

type Query = NonNullable<Input<'listAudit'>['query']>;
const KINDS = ['operator', 'owner', 'machine', 'system'] as const satisfies readonly NonNullable<Query['actor_kind']>[];

/** Ignores invalid ids and days, so that a mistyped URL still shows entries. */
export function auditQuery({ account, actor, actor_kind: kind, action, ...days }: AuditSearch): Query {
  const actorKind = KINDS.find((known) => known === kind);
  return {
    ...(account !== undefined && /^[a-z]+_[\w-]{1,64}$/.test(account) ? { account } : {}),
    ...(actor === undefined ? {} : { actor }),
    ...(actorKind === undefined ? {} : { actor_kind: actorKind }),
    ...(action === undefined ? {} : { action }),
    ...instantsOf(days),
  };
}
