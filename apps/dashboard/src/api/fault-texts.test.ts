import { expect, it } from '@jest/globals';
import { FIELD_PROBLEMS } from '@tollgate/core';
import { faults as german } from '../texts/de/faults.js';
import { faults as english } from '../texts/en/faults.js';
import { faultText } from './fault-texts.js';

function wordsIn(text: string): readonly string[] {
  return [...text.matchAll(/\{(\w+)\}/g)].map(([, word = '']) => word);
}

it.each([['English', english], ['German', german]])('every problem of a field has a text in %s that uses only values of its rule', (_language, texts) => {
  const known: Readonly<Record<string, readonly string[]>> = FIELD_PROBLEMS;
  const wrong = Object.entries(texts).filter(([code, text]) => !wordsIn(text).every((word) => known[code]?.includes(word) === true));
  expect(wrong).toEqual([]);
  expect(Object.keys(texts).toSorted()).toEqual(Object.keys(known).toSorted());
});

it('the text of a fault formats numbers as the page does, and amounts as prices in the currency of the fault', () => {
  expect(faultText({ code: 'too_many', values: { maximum: 10_000 } })).toBe('At most 10,000 are possible.');
  expect(faultText({ code: 'below_one_charge', values: { minimum: '1000.00', currency: 'EUR' } })).toBe('Enter at least 1,000.00 EUR, the price of one charge.');
});
