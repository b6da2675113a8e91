import { expect, it } from '@jest/globals';
import { auditQuery } from './audit-filters.js';

it('the audit log requests whole UTC days, including the last', () => {
  expect(auditQuery({ start: '2026-02-27', end: '2026-02-28' })).toEqual({ start: '2026-02-27T00:00:00Z', end: '2026-03-01T00:00:00Z' });
});

it('the audit log sends the gateway valid filters and drops invalid ones', () => {
  expect(auditQuery({ account: 'acct_1', actor: 'person_1', actor_kind: 'owner', action: 'key.created' }))
    .toEqual({ account: 'acct_1', actor: 'person_1', actor_kind: 'owner', action: 'key.created' });
  expect(auditQuery({ account: 'ada@example.com', actor_kind: 'robot', start: '2026-02-30', end: 'today' })).toEqual({});
});
