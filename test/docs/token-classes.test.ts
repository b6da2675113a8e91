import { expect, test } from '@jest/globals';
import { TOKEN_CLASSES, TOKEN_COUNTS, TOKEN_RATES, tokenCount, type Usage } from '@tollgate/core';
import { aSettlement, distinctUsage } from '@tollgate/testkit';
import { encodeUsage as encodeChatUsage } from '../../packages/wire-chat/src/encode-response.js';
import { encodeUsage as encodeMessagesUsage } from '../../packages/wire-messages/src/encode-response.js';
import { encodeUsage as encodeResponsesUsage } from '../../packages/wire-responses/src/encode-response.js';
import { readDocument, tableRows } from './documents.js';

const words = (name: string): string => name.replaceAll('_', ' ');

test('billing.md lists every token class with its rate', () => {
  const stated = tableRows(readDocument('docs/billing.md'), 'token-classes').map(([name, rate]) => [name, rate]);
  expect(stated).toEqual(TOKEN_CLASSES.map(({ name, rate }) => [words(name), rate.name]));
});

test('configuration.md names every rate of a price', () => {
  const [, rates = ''] = /^\| `price` \| yes \| ([^;]*); service tokens per million tokens/mu.exec(readDocument('docs/configuration.md').text) ?? [];
  const stated = new Set([...rates.matchAll(/`([^`]+)`/gu)].map(([, name]) => name));
  expect(stated).toEqual(new Set(TOKEN_RATES.map(({ name }) => name)));
});

/** Encoders in the order of the columns of the page's table. */
const ENCODERS: readonly ((usage: Usage) => object)[] = [
  encodeChatUsage, encodeMessagesUsage, (usage) => encodeResponsesUsage({ usage, settlement: aSettlement(), fallbackUsed: false }),
];

function figuresOf(encoded: object, prefix = ''): readonly (readonly [string, unknown])[] {
  return Object.entries(encoded).flatMap(([name, value]: [string, unknown]) =>
    (typeof value === 'object' && value !== null ? figuresOf(value, `${prefix}${name}.`) : [[`${prefix}${name}`, value] as const]));
}

test('wire-formats.md lists, for each count of tokens, the fields of each format that include it', () => {
  const usage = distinctUsage(1);
  const rows = TOKEN_COUNTS.map(({ name, field }) => [words(name), ...ENCODERS.map((encode) => {
    const raised = new Map(figuresOf(encode({ ...usage, [field]: tokenCount(usage[field] + 1) })));
    return figuresOf(encode(usage)).flatMap(([figure, value]) => (raised.get(figure) === Number(value) + 1 ? [figure] : [])).join(', ');
  })]);
  expect(tableRows(readDocument('docs/wire-formats.md'), 'token-counts')).toEqual(rows);
});
