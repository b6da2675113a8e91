import { expect, it } from '@jest/globals';
import { balanceState, isLow } from './balance-state.js';

const AMOUNT = { svc_tokens: '1', usd: '0.01' };
const usual = (left: number) => ({ model: 'small', needs: AMOUNT, available: AMOUNT, requests_left: left });

it('warns that requests are refused, regardless of the spending', () => {
  expect([balanceState(usual(0), null), balanceState(usual(0), 90)]).toEqual(['refused', 'refused']);
});

it('warns that requests will be refused within three days', () => {
  expect([balanceState(usual(5), 0), balanceState(usual(5), 3)]).toEqual([{ refusedInDays: 0 }, { refusedInDays: 3 }]);
  expect([balanceState(usual(5), 4), balanceState(usual(5), null), balanceState(null, 0)]).toEqual(['enough', 'enough', 'enough']);
});

it('needs the pace of spending only if the balance is low', () => {
  expect([isLow(usual(0)), isLow(usual(1)), isLow(usual(999)), isLow(usual(1000)), isLow(null)]).toEqual([false, true, true, false, false]);
});
