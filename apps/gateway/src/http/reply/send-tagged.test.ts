import { expect, it } from '@jest/globals';
import { BodyTagger } from './send-tagged.js';

it('an object that is sent in many replies is encoded once; equal objects get the same tag', () => {
  let written = 0;
  const body = { toJSON: () => { written += 1; return { number: written }; } };
  const tagger = new BodyTagger();
  const first = tagger.tagged(body);
  expect([tagger.tagged(body), written]).toEqual([first, 1]);
  expect(first.text).toBe('{"number":1}');
  const other = tagger.tagged({ number: 2 });
  expect(other.tag).not.toBe(first.tag);
  expect(tagger.tagged({ number: 2 })).toEqual(other);
});
