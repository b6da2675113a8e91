import { describe, expect, it } from '@jest/globals';
import { checkBodyHeaders, refuseUnknownFraming } from './body-headers.js';

describe('the headers of a body', () => {
  it.each([
    [{}],
    [{ 'content-type': '' }],
    [{ 'content-type': 'application/json' }],
    [{ 'content-type': 'Application/JSON; charset=UTF-8' }],
    [{ 'content-type': 'application/json;charset="utf-8"' }],
    [{ 'content-type': 'application/vnd.any+json' }],
    [{ 'content-type': 'text/json' }],
    [{ 'content-encoding': 'identity' }],
    [{ 'content-encoding': 'identity, br' }],
    [{ 'content-length': '2097152' }],
  ])('are accepted: %j', (headers) => {
    expect(() => checkBodyHeaders(headers)).not.toThrow();
  });

  it.each([
    ['payload_too_large', { 'content-length': '2097153' }],
    ['payload_too_large', { 'content-length': '99999999999999999999999999' }],
    ['payload_too_large', { 'content-length': '2097153', 'content-type': 'text/plain', 'content-encoding': 'gzip' }],
    ['unsupported_media_type', { 'content-encoding': 'compress' }],
    ['unsupported_media_type', { 'content-encoding': 'gzip, gzip, gzip' }],
    ['unsupported_media_type', { 'content-type': 'text/plain' }],
    ['unsupported_media_type', { 'content-type': 'application/x-www-form-urlencoded' }],
    ['unsupported_media_type', { 'content-type': 'application/jsonp' }],
    ['unsupported_media_type', { 'content-type': 'application/json; charset=utf-16' }],
    ['unsupported_media_type', { 'content-type': 'nonsense' }],
  ])('are refused as %s: %j', (code, headers) => {
    expect(() => checkBodyHeaders(headers)).toThrow(expect.objectContaining({ code }));
  });

  it.each(['gzip, chunked', 'chunked, chunked', 'Chunked', 'xchunked', ''])('are refused with the Transfer-Encoding %j', (encoding) => {
    expect(() => refuseUnknownFraming({ 'transfer-encoding': encoding })).toThrow(expect.objectContaining({ code: 'invalid_request' }));
  });

  it('are accepted without a Transfer-Encoding, or with exactly "chunked"', () => {
    expect(() => refuseUnknownFraming({})).not.toThrow();
    expect(() => refuseUnknownFraming({ 'transfer-encoding': 'chunked' })).not.toThrow();
  });
});
