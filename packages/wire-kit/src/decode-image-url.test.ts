import { describe, expect, it } from '@jest/globals';
import { refusalOf } from '@tollgate/testkit';
import { decodeBase64, decodeImageUrl } from './decode-shared-fields.js';

describe('an image URL', () => {
  it.each([
    ['https://example.com/a.png', { kind: 'url', url: 'https://example.com/a.png' }],
    ['HTTP://example.com/a.png?x=1,2', { kind: 'url', url: 'HTTP://example.com/a.png?x=1,2' }],
    ['data:image/png;base64,iVBORw0KGgo=', { kind: 'base64', mediaType: 'image/png', data: 'iVBORw0KGgo=' }],
    ['data:image/webp;charset=utf-8;base64,AA==', { kind: 'base64', mediaType: 'image/webp', data: 'AA==' }],
    ['data:;base64,AAAA', { kind: 'base64', mediaType: 'image/jpeg', data: 'AAAA' }],
    ['DATA:image/gif;BASE64,AA_-', { kind: 'base64', mediaType: 'image/gif', data: 'AA_-' }],
  ])('%s is decoded', (url, source) => {
    expect(decodeImageUrl(url, null, 'url')).toEqual(source);
  });

  it.each([
    [''], ['https://'], ['ftp://example.com/a'], ['file:///etc/passwd'], ['javascript:alert(1)'], ['a.png'], ['data:'], ['data:image/png'],
    ['data:image/png,AAAA'], ['data:image/png;base64'], ['data:image/png;base64,'], ['data:image/png;base64,A%20A'], ['data:base64,AAAA'], [7], [null],
  ])('%p is refused', (url) => {
    expect(refusalOf(() => decodeImageUrl(url, null, 'url'))).toMatchObject({ code: 'invalid_request', param: 'url' });
  });

  it('of 2 MB is read in one pass', () => {
    const data = 'A'.repeat(2_000_000);
    expect(decodeBase64(data, null, 'data')).toBe(data);
    expect(refusalOf(() => decodeBase64(`${' '.repeat(2_000_000)}!`, null, 'data'))?.param).toBe('data');
  });
});
