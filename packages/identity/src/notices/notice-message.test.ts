import { describe, expect, it } from '@jest/globals';
import { instant, type ModelSlug, parseTokenRate, type PriceNotice, type ShutdownNotice } from '@tollgate/core';
import { aPrice } from '@tollgate/testkit';
import { noticeMessage } from './notice-message.js';

const SITE = { baseUrl: 'https://api.example.com', product: 'Example' };
const DAY = instant(Date.UTC(2027, 2, 1));
const USD = parseTokenRate('0.001');
const [SMALL, LARGE] = ['small' as ModelSlug, 'large' as ModelSlug];

describe('the message about prices', () => {
  const change = { from: DAY, before: aPrice('0.0005', '0.00005', '0.0005', '0.0015'), price: aPrice('0.0006', '0.00005', '0.0006', '0.0018') };
  const notice: PriceNotice = { kind: 'price', id: 'prices/2027-03-01', list: null, from: DAY, rises: new Map([[SMALL, change], [LARGE, change]]) };

  it('names the day and the new and old prices of the models that the account uses, and links to all prices', () => {
    const { subject, text } = noticeMessage({ notice, used: new Set([SMALL]), usdPerServiceToken: USD }, SITE);
    expect(subject).toBe('Prices change on 2027-03-01');
    expect(text).toContain('From 2027-03-01 on (UTC), models that your Example account at api.example.com has used');
    expect(text).toMatch(/small: prompt 600 \(0\.6 USD\) instead of 500 \(0\.5 USD\), cache creation 600 \(0\.6 USD\) instead of 500 \(0\.5 USD\), (?:.+ 600 .+, )?output 1800 \(1\.8 USD\) instead of 1500 \(1\.5 USD\)\./);
    expect(text).not.toContain('large');
    expect(text).toContain('https://api.example.com/dashboard/models');
  });
});

describe('the message about the shutdown of a model', () => {
  const notice = (successor: ModelSlug | null, forwards: boolean): ShutdownNotice => ({ kind: 'shutdown', id: 'shutdown/small/2027-03-01', model: SMALL, shutdown: { at: DAY, successor, forwards } });

  it.each([
    [null, false, 'Requests for it are refused from then on.'],
    [LARGE, false, 'Requests for it are refused from then on. Use large instead.'],
    [LARGE, true, 'From then on, large serves requests for it, at its own price.'],
  ])('with the successor %s and forwarding %s says what happens to requests for the model', (successor, forwards, said) => {
    const { subject, text } = noticeMessage({ notice: notice(successor, forwards), used: new Set([SMALL]), usdPerServiceToken: USD }, SITE);
    expect(subject).toBe('The model small is shut down on 2027-03-01');
    expect(text).toContain('It is served until 2027-03-01 begins (UTC).');
    expect(text.split('\n\n')[1]).toBe(said);
  });
});
