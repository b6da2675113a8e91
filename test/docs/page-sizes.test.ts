import { expect, test } from '@jest/globals';
import { PAGE_SIZES, type PageSize } from '@tollgate/core';
import { readDocument } from './documents.js';

const { usage, keys, accounts, inputItems } = PAGE_SIZES;
const grouped = (value: number): string => value.toLocaleString('en-US');
const option = ({ usual, most }: PageSize): string => `\`--limit\` is 1 to ${grouped(most)}, ${grouped(usual)} by default`;

test.each([
  ['docs/billing.md', `| \`limit\` | Records in a page: 1 to ${grouped(usage.api.most)}; by default ${grouped(usage.api.usual)}, on the dashboard's routes 1 to ${grouped(usage.dashboard.most)} and ${grouped(usage.dashboard.usual)} |`],
  ['docs/shop.md', `\`limit\` is 1 to ${grouped(accounts.admin.most)}, ${grouped(accounts.admin.usual)} by default`],
  ['docs/accounts.md', `lists the keys of its account in pages of at most ${grouped(keys.api.most)} (\`limit\`)`],
  ['docs/wire-formats.md', `\`limit\` from 1 to ${grouped(inputItems.api.most)} (${grouped(inputItems.api.usual)})`],
  ['docs/support.md', `| \`accounts list\` | Lists all accounts, oldest first; ${option(accounts.commandLine)} |`],
  ['docs/support.md', `| \`usage list\` | Lists usage records of an account, newest first; ${option(usage.commandLine)} |`],
])('%s says: %s', (page, sentence) => {
  expect(readDocument(page).text.includes(sentence)).toBe(true);
});
