import { describe, expect, it } from '@jest/globals';
import { ServiceTokens } from '../money/service-tokens.js';
import { effectiveAlerts, formatAlertThresholds, parseAlertThresholds } from './low-balance-alerts.js';

function policyOf(text: string, minimum = '1') {
  const thresholds = parseAlertThresholds(text);
  if (thresholds === null) throw new Error(text);
  return { thresholds, minimumReservation: ServiceTokens.parse(minimum) };
}

function lowOf(text: string, lastCredit: string): readonly string[] {
  return effectiveAlerts(policyOf(text), { chosen: null, lastCredit: ServiceTokens.parse(lastCredit) }).low.map((amount) => amount.toString());
}

describe('the thresholds of a policy', () => {
  it.each(['20%,5%', '100%', '1%,12.5,0.000001', ''])('are parsed and formatted without loss: %j', (text) => {
    expect(formatAlertThresholds(parseAlertThresholds(text) ?? [])).toBe(text);
  });

  it.each(['0%', '101%', '5.5%', '0', '-1', '1e3', 'x', '1,2,3,4', '1;2', '0.0000001'])('are refused: %j', (text) => {
    expect(parseAlertThresholds(text)).toBeNull();
  });

  it('are sorted, without zeros and duplicates, and with percentages rounded down', () => {
    expect(lowOf('5%,20%,5', '100')).toEqual(['20', '5']);
    expect(lowOf('33%', '0.000005')).toEqual(['0.000001']);
    expect(lowOf('20%,5%', '0')).toEqual([]);
  });

  it('are replaced by the owner’s choice, even an empty one', () => {
    const chosen = [ServiceTokens.parse('3')];
    expect(effectiveAlerts(policyOf('20%'), { chosen, lastCredit: ServiceTokens.parse('100') }).low).toEqual(chosen);
    expect(effectiveAlerts(policyOf('20%'), { chosen: [], lastCredit: ServiceTokens.parse('100') }).low).toEqual([]);
  });

  it('treat a balance of zero as exhausted if there is no minimum reservation', () => {
    expect(effectiveAlerts(policyOf('', '0'), { chosen: null, lastCredit: ServiceTokens.ZERO }).exhaustedBelow.toUnits()).toBe(1n);
  });
});
