import { expect, it } from '@jest/globals';
import { balanceState, isLow } from './balance-state.js';

const AMOUNT = { svc_tokens: '1', usd: '0.01' };
const usual = (left: number) => ({ model: 'small', needs: AMOUNT, available: AMOUNT, requests_left: left });

it('a balance that pays for no usual request is reported as too low for requests, whatever the spending', () => {
  expect([balanceState(usual(0), null), balanceState(usual(0), 90)]).toEqual(['refused', 'refused']);
});

it('a low balance is reported if it will last for at most three days', () => {
  expect([balanceState(usual(5), 0), balanceState(usual(5), 3)]).toEqual([{ refusedInDays: 0 }, { refusedInDays: 3 }]);
  expect([balanceState(usual(5), 4), balanceState(usual(5), null), balanceState(null, 0)]).toEqual(['enough', 'enough', 'enough']);
});

it('a balance is low if it pays for 1 to 999 usual requests', () => {
  expect([isLow(usual(0)), isLow(usual(1)), isLow(usual(999)), isLow(usual(1000)), isLow(null)]).toEqual([false, true, true, false, false]);
});
