import { type ImageSource, type JsonDocument, type JsonObject, type TextBlock, tokenCount, type TokenCount } from '@tollgate/core';
import * as fc from 'fast-check';
import { arbitraryText } from '../wire/arbitrary-reply.js';

const SOMETHING = /\S/;

/** Text with at least one character that is not white space. */
export const saidText: fc.Arbitrary<string> = fc.oneof(
  { weight: 3, arbitrary: arbitraryText.filter((text) => SOMETHING.test(text)) },
  { weight: 1, arbitrary: fc.constantFrom('Hello', 'Error: x', '{}', '[]', '\u4E2D\u6587', '\u{1F600}', ' a ', '0') },
);

export function textBlock(text: string): TextBlock {
  return { type: 'text', text };
}

/** A name of a tool, in the characters that every vendor takes. */
export const toolName: fc.Arbitrary<string> = fc.stringMatching(/^[a-zA-Z_][a-zA-Z0-9_-]{0,20}$/);

/** An id that the vendors of both formats take as it is. */
export const toolCallId: fc.Arbitrary<string> = fc.stringMatching(/^[A-Za-z0-9_-]{1,24}$/);

export const imageSource: fc.Arbitrary<ImageSource> = fc.oneof(
  fc.webUrl({ withQueryParameters: true }).map((url): ImageSource => ({ kind: 'url', url })),
  fc.record({
    kind: fc.constant('base64' as const),
    mediaType: fc.constantFrom('image/png', 'image/jpeg', 'image/webp', 'image/svg+xml'),
    data: fc.uint8Array({ minLength: 1, maxLength: 24 }).map((bytes) => Buffer.from(bytes).toString('base64')),
  }),
);

/** Numbers as somebody may write them who does not print like JavaScript. */
const writtenNumber = fc.oneof(
  fc.integer().map(String), fc.double({ noNaN: true, noDefaultInfinity: true }).map((value) => JSON.stringify(value)),
  fc.constantFrom('1.0', '-0', '0.10', '1e3', '1E+2', '12345678901234567890', '9007199254740993', '3.141592653589793238', '1e400'),
);

/** Keys of which some move when an object is parsed and printed again. `__proto__` is left out: parsed, it is a key like any other, but copied it is not. */
const writtenKey = fc.oneof(fc.stringMatching(/^[a-z]{1,6}$/), fc.nat({ max: 20 }).map(String), fc.constantFrom('type', 'a b', '\u00E9', '', '"', 'constructor'));

function printedObject(members: readonly (readonly [string, string])[]): string {
  return `{${members.map(([key, text]) => `${JSON.stringify(key)}:${text}`).join(',')}}`;
}

const uniqueMembers = (value: fc.Arbitrary<string>): fc.Arbitrary<(readonly [string, string])[]> =>
  fc.uniqueArray(fc.tuple(writtenKey, value), { selector: ([key]) => key, maxLength: 4 });

const { written } = fc.letrec<{ written: string }>((tie) => ({
  written: fc.oneof(
    { maxDepth: 2, withCrossShrink: true },
    writtenNumber,
    fc.constantFrom('null', 'true', 'false'),
    fc.string().map((text) => JSON.stringify(text)),
    fc.array(tie('written'), { maxLength: 3 }).map((items) => `[${items.join(',')}]`),
    uniqueMembers(tie('written')).map(printedObject),
  ),
}));

/** The text of a JSON object without white space: numbers and the order of keys may be such as a printer would change. */
export const writtenObject: fc.Arbitrary<string> = uniqueMembers(written).map(printedObject);

export function documentOf(text: string): JsonDocument {
  return { value: JSON.parse(text) as JsonObject, text };
}

/** A schema that says it is an object's, wherever it says so. */
export const objectSchema: fc.Arbitrary<JsonDocument> = fc.record({ members: uniqueMembers(written), place: fc.nat() }).map(({ members, place }) => {
  const others = members.filter(([key]) => key !== 'type');
  return documentOf(printedObject(others.toSpliced(place % (others.length + 1), 0, ['type', '"object"'])));
});

export const outputLimit: fc.Arbitrary<TokenCount> = fc.integer({ min: 1, max: 1_000_000 }).map(tokenCount);

/** Decimals that clients write, so that what is compared is what they wrote. */
export function decimalWithin(least: number, most: number): fc.Arbitrary<number> {
  return fc.integer({ min: least * 100, max: most * 100 }).map((hundredths) => hundredths / 100);
}

/** What a client may call its user: it is stored, so nothing that a database refuses. */
export const attributionText: fc.Arbitrary<string> = fc.string({ unit: 'binary', minLength: 1, maxLength: 60 })
  .filter((text) => !/\0|\p{Surrogate}/u.test(text));
