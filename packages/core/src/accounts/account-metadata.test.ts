import { expect, it } from '@jest/globals';
import { requireExternalId, requireMetadata } from './account-metadata.js';

const SIXTEEN = Object.fromEntries(Array.from({ length: 16 }, (_, number) => [`key ${number}`, 'x'.repeat(500)]));

it('valid metadata and external ids are accepted', () => {
  for (const metadata of [undefined, {}, SIXTEEN, { ['k'.repeat(40)]: '' }]) expect(() => requireMetadata(metadata)).not.toThrow();
  for (const id of [undefined, null, '7', 'customer 7/ä', 'x'.repeat(200)]) expect(() => requireExternalId(id)).not.toThrow();
});

it('invalid metadata is refused, and the refusal names the field', () => {
  for (const metadata of [{ ...SIXTEEN, more: '' }, { '': 'x' }, { ['k'.repeat(41)]: '' }, { k: 'x'.repeat(501) }, { k: 'a\nb' }, { k: '\ud800' }, { 'a\u0000': '' }]) {
    expect(() => requireMetadata(metadata)).toThrow(expect.objectContaining({ code: 'invalid_request', param: 'metadata' }));
  }
});

it('invalid external ids are refused, and the refusal names the field', () => {
  for (const id of ['', ' 7', '7 ', 'x'.repeat(201), 'a\tb', '\udfff']) {
    expect(() => requireExternalId(id)).toThrow(expect.objectContaining({ code: 'invalid_request', param: 'external_id' }));
  }
});
