import { expect, it } from '@jest/globals';
import { instant } from '@tollgate/core';
import { dayText, durationText, momentText } from './mail-times.js';

it.each([
  [60_000, '1 minute', '1 Minute'], [900_000, '15 minutes', '15 Minuten'], [5_400_000, '90 minutes', '90 Minuten'], [3_600_000, '1 hour', '1 Stunde'], [86_400_000, '1 day', '1 Tag'],
  [604_800_000, '7 days', '7 Tagen'],
])('%d ms are %s, and %s in German', (milliseconds, english, german) => {
  expect([durationText(milliseconds), durationText(milliseconds, 'de')]).toEqual([english, german]);
});

it.each([0, 30_000, -60_000])('a link lifetime of %d ms is refused', (milliseconds) => {
  expect(() => durationText(milliseconds)).toThrow('the lifetime of a link is in whole minutes');
});

it('moments, days and months are named in UTC', () => {
  const at = instant(Date.UTC(2026, 10, 2, 19, 5));
  expect([momentText(at), momentText(at, 'de')]).toEqual(['2026-11-02 at 19:05 UTC', '02.11.2026 um 19:05 Uhr (UTC)']);
  expect([dayText('2026-11-02'), dayText('2026-11-02', 'de'), dayText('2026-11', 'de')]).toEqual(['2026-11-02', '02.11.2026', '11.2026']);
});
