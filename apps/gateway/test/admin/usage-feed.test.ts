import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { PAGE_SIZES, utcDayOf } from '@tollgate/core';
import { adminContract } from '@tollgate/api-contract';
import { AdminWorld, type AdminReply } from './admin-world.js';

describe('the feed of usage over HTTP', () => {
  let world: AdminWorld;
  let headers: Readonly<Record<string, string>>;

  beforeEach(async () => {
    world = await AdminWorld.start();
    headers = await world.headersOf(['usage:read']);
  });
  afterEach(() => world.close());

  async function page(query: string) {
    const reply = await world.call(`/usage${query}`, headers);
    expect(reply.status).toBe(200);
    const { data, ...rest } = adminContract.listUsage.reply.parse(reply.body);
    return { ...rest, entries: data.flatMap((item) => (item.object === 'usage_entry' ? [item] : [])) };
  }

  function told({ status, body: { error } }: AdminReply): readonly unknown[] {
    return [status, error?.['code'], error?.['param'] ?? null];
  }

  it('shows each settlement with its charge, and continues with later settlements', async () => {
    expect(await page('?after=')).toMatchObject({ entries: [], has_more: false, next_cursor: null });
    const { caller } = world.gateway;
    const replies = await Promise.all([1, 2].map(() => world.gateway.post('/v1/chat/completions', { model: 'small', messages: [{ role: 'user', content: 'Hi' }] })));
    const first = await page('?after=&limit=1');
    expect([first.entries.map(({ number }) => number), first.has_more]).toEqual([[1], true]);
    const second = await page(`?after=${first.next_cursor ?? ''}`);
    expect([second.entries.map(({ number }) => number), second.has_more]).toEqual([[2], false]);
    expect(second.entries[0]).toMatchObject({ kind: 'settlement', account_id: caller.account.id, key_id: caller.keyId, end_reason: 'completed', svc_tokens_written_off: '0', day: utcDayOf(world.clock.now()) });
    const ids = [...first.entries, ...second.entries].map(({ request_id: requestId }) => requestId);
    expect(new Set(ids)).toEqual(new Set(replies.map((reply) => reply.headers.get('x-request-id'))));
    expect(await page(`?after=${second.next_cursor ?? ''}`)).toMatchObject({ entries: [], has_more: false, next_cursor: second.next_cursor });
  });

  it.each([
    ['?after=abc', [400, 'invalid_request', 'after']], ['?after=&account=acct_1', [400, 'invalid_request', 'account']], ['?after=&model=small', [400, 'invalid_request', 'model']],
    ['?after=&cursor=abc', [400, 'invalid_request', 'cursor']], [`?after=&limit=${PAGE_SIZES.usage.admin.most + 1}`, [400, 'invalid_request', 'limit']],
    [`?after=${Buffer.from('1 settlement req_none').toString('base64url')}`, [410, 'cursor_lost', 'after']],
  ])('refuses %s', async (query, expected) => {
    expect(told(await world.call(`/usage${query}`, headers))).toEqual(expected);
  });
});
