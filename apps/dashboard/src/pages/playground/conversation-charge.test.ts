import { expect, it } from '@jest/globals';
import type { ModelTurn } from './conversation.js';
import { chargeOf } from './conversation-charge.js';
import { NO_REPLY } from './reply.js';

function aReply(charged: string | null, took: number | null = 1): ModelTurn {
  const receipt = charged === null ? null : { charged, usd: charged, balance: null, isPending: false, promptTokens: 1, outputTokens: 1 };
  return { role: 'model', model: 'm', reply: { ...NO_REPLY, receipt }, requestId: null, firstOutput: null, took, stopped: false, raw: null };
}

it('the charge of a conversation is the exact sum over its replies; replies without a receipt are counted', () => {
  expect(chargeOf([{ role: 'user', text: 'a', pictures: [], results: [] }, aReply('0.1'), aReply('0.2'), aReply(null), aReply(null, null)])).toEqual({ charged: '0.3', usd: '0.3', replies: 3, unknown: 1 });
  expect(chargeOf([aReply('9007199254740993'), aReply('0.000000000000000001')])).toMatchObject({ charged: '9007199254740993.000000000000000001' });
});
