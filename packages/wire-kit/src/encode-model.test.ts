import { expect, it } from '@jest/globals';
import { parseTokenRate } from '@tollgate/core';
import { aModel } from '@tollgate/testkit';
import { encodeModel } from './encode-model.js';

const CATALOGUE = { usdPerServiceToken: parseTokenRate('0.001') };

it('a model states its description and its input modalities only if the catalogue does', () => {
  const plain = encodeModel(aModel(), CATALOGUE);
  expect(Object.keys(plain)).toEqual([
    'id', 'object', 'type', 'created', 'created_at', 'owned_by', 'display_name', 'aliases', 'context_window', 'max_output_tokens', 'reasoning', 'reasoning_assumed', 'simulated', 'pricing', 'price_list',
    'price_version', 'next_price', 'shutdown_date', 'successor',
  ]);
  expect(encodeModel(aModel({ description: 'Reads pictures.', inputModalities: ['text', 'image'] }), CATALOGUE)).toEqual({ ...plain, description: 'Reads pictures.', input_modalities: ['text', 'image'] });
});
