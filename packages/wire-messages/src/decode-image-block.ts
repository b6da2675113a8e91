import type { ImageBlock, ImageSource } from '@tollgate/core';
import {
  decodeBase64, decodeImageUrl, decodeNonEmptyString, decodeObject, decodeOneOf, DEFAULT_IMAGE_MEDIA_TYPE, type Fields, optional, required,
} from '@tollgate/wire-kit';

const decodeSource = decodeOneOf(new Map<string, (source: Fields) => ImageSource>([
  ['base64', (source) => ({
    kind: 'base64',
    mediaType: optional(source, 'media_type', decodeNonEmptyString) ?? DEFAULT_IMAGE_MEDIA_TYPE,
    data: required(source, 'data', decodeBase64),
  })],
  ['url', (source) => required(source, 'url', decodeImageUrl)],
]));

/** An image by its bytes or by its URL; a `data:` URL is its bytes. */
export function decodeImageBlock(block: Fields): ImageBlock {
  const source = required(block, 'source', decodeObject);
  return { type: 'image', source: required(source, 'type', decodeSource)(source) };
}
