import type { ImageSource } from '@tollgate/core';
import type { Decoder } from './decoder.js';
import { decodeString } from './decode-values.js';
import { invalidField } from './invalid-request.js';

/** Assumed where the client names none; upstreams look at the image itself. */
export const DEFAULT_IMAGE_MEDIA_TYPE = 'image/jpeg';

const DATA_SCHEME = /^data:/i;
const WEB_SCHEME = /^https?:\/\/./i;
const NOT_BASE64 = /[^A-Za-z0-9+/=_\-\s]/;

/** The bytes of an image as base64 text; it is checked for foreign characters and passed on as it came. */
export const decodeBase64: Decoder<string> = (value, within, key) => {
  const data = decodeString(value, within, key);
  if (data === '' || NOT_BASE64.test(data)) throw invalidField(within, key, 'must hold base64 data');
  return data;
};

/** An image's URL: `http`, `https`, or a `data:` URL, which becomes its bytes. Never fetched. */
export const decodeImageUrl: Decoder<ImageSource> = (value, within, key) => {
  const url = decodeString(value, within, key);
  if (WEB_SCHEME.test(url)) return { kind: 'url', url };
  if (!DATA_SCHEME.test(url)) throw invalidField(within, key, 'must be an http, https or data URL');
  const comma = url.indexOf(',');
  const header = comma < 0 ? '' : url.slice('data:'.length, comma);
  const [mediaType = '', ...parameters] = header.split(';').map((part) => part.trim());
  if (parameters.at(-1)?.toLowerCase() !== 'base64') throw invalidField(within, key, 'must be a base64 data URL');
  return {
    kind: 'base64',
    mediaType: mediaType === '' ? DEFAULT_IMAGE_MEDIA_TYPE : mediaType,
    data: decodeBase64(url.slice(comma + 1), within, key),
  };
};
